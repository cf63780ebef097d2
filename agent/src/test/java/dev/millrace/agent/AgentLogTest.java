package dev.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AgentLogTest {
  @AfterEach
  void giveTheLogBack() throws IOException {
    LogManager.getLogManager().readConfiguration();
  }

  @Test
  void aRecordIsALine() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AgentLog.configure(new PrintStream(out, true, StandardCharsets.UTF_8));
    AgentLog.LOGGER.log(System.Logger.Level.WARNING, "a peer said: x\r\n2026 FAKE LINE\u001b[31m");
    AgentLog.LOGGER.log(System.Logger.Level.DEBUG, "not shown");
    String text = out.toString(StandardCharsets.UTF_8);
    assertThat(text.lines()).hasSize(1);
    assertThat(text.stripTrailing())
        .matches(
            "\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z WARNING dev\\.millrace: a peer said: x  2026 FAKE.*");
    assertThat(text).doesNotContain("\u001b");
  }

  @Test
  void aFailureBringsItsTrace() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AgentLog.configure(new PrintStream(out, true, StandardCharsets.UTF_8));
    AgentLog.LOGGER.log(System.Logger.Level.ERROR, "broken", new IllegalStateException("why"));
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("SEVERE dev.millrace: broken")
        .contains("java.lang.IllegalStateException: why")
        .contains("AgentLogTest");
  }
}
