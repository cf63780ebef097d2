package dev.millrace.agent;

import dev.millrace.agent.config.AgentConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.CountDownLatch;

/** The agent's entry point. */
public final class Main {
  /**
   * How long a stop may take: half of the ten seconds that supervisors wait at least before they
   * kill.
   */
  private static final long STOP_MILLIS = 4_500;

  private Main() {}

  /**
   * Runs the agent until SIGTERM or SIGINT. Exit codes: 0 after a clean stop, 1 where the agent
   * cannot start or did not stop in time, 2 where the command line or the configuration is wrong.
   */
  public static void main(String[] args) throws InterruptedException {
    Invocation invocation =
        Invocation.of(
            args,
            new PrintWriter(System.out, true, StandardCharsets.UTF_8),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8));
    AgentConfig config = invocation.config();
    if (config == null) {
      System.exit(invocation.exitCode());
      return;
    }
    NettySettings.apply();
    AgentLog.configure(System.err);
    for (String warning : config.warnings()) {
      AgentLog.LOGGER.log(System.Logger.Level.WARNING, warning);
    }
    Agent agent;
    try {
      agent = Agent.start(config);
    } catch (IOException e) {
      System.err.println("millrace-agent: " + e.getMessage());
      System.exit(Invocation.FAILED);
      return;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(agent), "millrace-stop"));
    AgentLog.LOGGER.log(System.Logger.Level.INFO, started(agent));
    // Every other thread is a daemon: the agent ends when it is told to.
    new CountDownLatch(1).await();
  }

  private static String started(Agent agent) {
    StringJoiner addresses = new StringJoiner(", ");
    for (Map.Entry<String, InetSocketAddress> entry : agent.addresses().entrySet()) {
      InetSocketAddress address = entry.getValue();
      String host = address.getAddress().getHostAddress();
      addresses.add(
          entry.getKey()
              + " on "
              + (host.indexOf(':') < 0 ? host : "[" + host + "]")
              + ":"
              + address.getPort());
    }
    return "Millrace agent "
        + AgentVersion.text()
        + " ready "
        + agent.uptime().toMillis()
        + " ms after the JVM started: "
        + addresses;
  }

  /**
   * Stops the agent while the JVM ends. A stop that went well is no failure, so the exit code is 0
   * and not the 143 of a JVM that a signal ends.
   */
  private static void stop(Agent agent) {
    boolean[] finished = new boolean[1];
    Thread stopper = new Thread(() -> finished[0] = agent.stop(), "millrace-stopper");
    stopper.setDaemon(true);
    stopper.start();
    try {
      stopper.join(STOP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    boolean inTime = !stopper.isAlive();
    // The JDK ends its own log at the same time as this runs, so this line goes past it.
    AgentLog.printLine(
        System.err,
        System.Logger.Level.INFO,
        !inTime
            ? "stopped by force: not all was finished in " + STOP_MILLIS + " ms"
            : finished[0] ? "stopped" : "stopped; requests that took too long were cut off");
    Runtime.getRuntime().halt(inTime ? Invocation.OK : Invocation.FAILED);
  }
}
