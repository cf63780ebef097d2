package dev.millrace.agent;

import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The agent's log: {@code java.util.logging}, one line a record on standard error.
 *
 * <pre>
 * 2026-03-01T12:00:00.123Z WARNING dev.millrace: otlp_body_too_large: expected ...
 * </pre>
 */
final class AgentLog {
  /** The logger that all of Millrace uses. */
  static final System.Logger LOGGER = System.getLogger("dev.millrace");

  /** Where it is set, its file says how to log, and nothing is changed here. */
  private static final String CONFIG_FILE = "java.util.logging.config.file";

  /** Loggers live as long as somebody holds them, and so does their level. */
  private static final Logger NETTY = Logger.getLogger("io.netty");

  private AgentLog() {}

  /**
   * Sets the log up.
   *
   * @param out takes the lines
   */
  static void configure(PrintStream out) {
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
    if (System.getProperty(CONFIG_FILE) != null) {
      return;
    }
    LogManager.getLogManager().reset();
    Logger root = Logger.getLogger("");
    root.setLevel(Level.INFO);
    root.addHandler(new LineHandler(out));
    NETTY.setLevel(Level.WARNING);
  }

  /** Prints a line of the log's form past the log. */
  static void printLine(PrintStream out, System.Logger.Level level, String message) {
    out.println(line(System.currentTimeMillis(), level.getName(), LOGGER.getName(), message, null));
  }

  private static String line(
      long unixMillis, String level, String logger, String message, @Nullable Throwable thrown) {
    StringBuilder line = new StringBuilder(160);
    line.append(Instant.ofEpochMilli(unixMillis));
    line.append(' ').append(level).append(' ').append(logger).append(": ");
    // A message that quotes a peer must not look like two.
    for (int i = 0; i < message.length(); i++) {
      char c = message.charAt(i);
      line.append(Character.isISOControl(c) ? ' ' : c);
    }
    if (thrown != null) {
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace));
      line.append(System.lineSeparator()).append(trace.toString().stripTrailing());
    }
    return line.toString();
  }

  private static final class LineHandler extends Handler {
    private final PrintStream out;

    LineHandler(PrintStream out) {
      this.out = out;
    }

    @Override
    public void publish(LogRecord record) {
      if (isLoggable(record)) {
        out.println(
            line(
                record.getMillis(),
                record.getLevel().getName(),
                record.getLoggerName(),
                String.valueOf(record.getMessage()),
                record.getThrown()));
      }
    }

    @Override
    public void flush() {
      out.flush();
    }

    @Override
    public void close() {
      // Standard error is not ours to close.
    }
  }
}
