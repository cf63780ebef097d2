package dev.millrace.export.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.export.server.RawConnection.Reply;
import dev.millrace.model.Problems;
import dev.millrace.store.MetricStore;
import dev.millrace.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BasicAuthenticationTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final List<String> log = new CopyOnWriteArrayList<>();
  private final Problems problems = new Problems(System::nanoTime, log::add);
  private final MetricStore store = MetricStore.inMemory();

  @TempDir private Path directory;

  @AfterEach
  void closeStore() {
    store.close();
  }

  private PrometheusServer start(BasicAuthentication authentication) {
    return PrometheusServer.builder()
        .port(0)
        .problems(problems)
        .basicAuthentication(authentication)
        .start(store);
  }

  private static String header(String credentials) {
    return "Authorization: Basic "
        + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
  }

  private static int status(RawConnection client, String credentials) throws IOException {
    return client.get("/metrics", header(credentials)).status();
  }

  @Test
  void letsTheUserWithThePasswordIn() throws Exception {
    BasicAuthentication authentication = BasicAuthentication.of("jürgen", "a:b ü€");
    try (PrometheusServer server = start(authentication);
        RawConnection client = RawConnection.to(server.address())) {
      assertThat(status(client, "jürgen:a:b ü€")).isEqualTo(200);
      assertThat(client.get("/", header("jürgen:a:b ü€")).status()).isEqualTo(200);
      assertThat(client.get("/metrics", header("jürgen:a:b ü€").replace("Basic", "bAsIc")).status())
          .isEqualTo(200);
    }
    assertThat(problems.kind("scrape_unauthorized").count()).isZero();
  }

  @Test
  void keepsEverybodyElseOut() throws Exception {
    BasicAuthentication authentication = BasicAuthentication.of("prometheus", "correct horse");
    try (PrometheusServer server = start(authentication);
        RawConnection client = RawConnection.to(server.address())) {
      String right = header("prometheus:correct horse");
      List<String> wrong =
          List.of(
              header("prometheus:correct horse "),
              header("prometheus:correct hors"),
              header("prometheus:"),
              header("prometheus"),
              header(":correct horse"),
              header("Prometheus:correct horse"),
              header(""),
              "Authorization:",
              "Authorization: Basic",
              "Authorization: Basic ",
              "Authorization: Basic !!!!",
              "Authorization: Basic " + "QUFB".repeat(20_000),
              right.replace("Basic ", "Bearer "),
              right.replace("Basic ", "Basic"),
              right + "\r\n" + right);
      for (String header : wrong) {
        Reply reply = client.get("/metrics", header);
        assertThat(reply.status()).as(header).isEqualTo(401);
        assertThat(reply.header("WWW-Authenticate"))
            .isEqualTo("Basic realm=\"metrics\", charset=\"UTF-8\"");
      }
      assertThat(client.get("/metrics").status()).isEqualTo(401);
      assertThat(client.get("/").status()).isEqualTo(401);
      assertThat(client.get("/unknown").status()).isEqualTo(401);
      client.request("HEAD", "/metrics");
      assertThat(client.reply(false).status()).isEqualTo(401);
      client.request("POST", "/metrics");
      assertThat(client.reply(true).status()).isEqualTo(401);
      assertThat(client.get("/metrics", right).status()).isEqualTo(200);
      assertThat(problems.kind("scrape_unauthorized").count()).isEqualTo(wrong.size() + 5);
    }
    assertThat(log).isNotEmpty().noneMatch(line -> line.contains("horse"));
    assertThat(authentication.toString()).doesNotContain("horse");
  }

  @Test
  void refusesWhatNobodyCanSend() {
    assertThatThrownBy(() -> BasicAuthentication.of("a:b", "secret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("colon")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> BasicAuthentication.of("a", ""))
        .hasMessageContaining("password: expected one or more characters");
    assertThatThrownBy(() -> BasicAuthentication.of("a", "secret\n"))
        .hasMessageContaining("control character")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> BasicAuthentication.of("a", "secret".repeat(1_000)))
        .hasMessageContaining("3072")
        .hasMessageNotContaining("secret");
  }

  @Test
  void theLongestCredentialsFitIntoTheHeader() throws Exception {
    String password = "p".repeat(BasicAuthentication.MAX_CREDENTIALS_BYTES - 2);
    try (PrometheusServer server = start(BasicAuthentication.of("u", password));
        RawConnection client = RawConnection.to(server.address())) {
      assertThat(status(client, "u:" + password)).isEqualTo(200);
      assertThat(status(client, "u:" + password + "p")).isEqualTo(401);
    }
  }

  @Test
  void asksASupplierEachTime() throws Exception {
    String[] password = {"first"};
    BasicAuthentication authentication =
        BasicAuthentication.of(
            "u",
            () -> {
              if (password[0].equals("fail")) {
                throw new IllegalStateException("secret in a message");
              }
              return password[0];
            });
    try (PrometheusServer server = start(authentication);
        RawConnection client = RawConnection.to(server.address())) {
      assertThat(status(client, "u:first")).isEqualTo(200);
      password[0] = "second";
      assertThat(status(client, "u:first")).isEqualTo(401);
      assertThat(status(client, "u:second")).isEqualTo(200);
      for (String nobody : new String[] {"", "fail"}) {
        password[0] = nobody;
        assertThat(status(client, "u:" + nobody)).isEqualTo(401);
        assertThat(status(client, "u:second")).isEqualTo(401);
      }
    }
    assertThat(log).noneMatch(line -> line.contains("secret"));
  }

  @Test
  void readsTheFileAgainWhenItChanges() throws Exception {
    Path file = directory.resolve("password");
    Files.writeString(file, "first\n");
    try (PrometheusServer server = start(BasicAuthentication.ofPasswordFile("u", file));
        RawConnection client = RawConnection.to(server.address())) {
      assertThat(status(client, "u:first")).isEqualTo(200);
      assertThat(status(client, "u:first\n")).isEqualTo(401);

      Files.writeString(file, "second\r\n");
      Eventually.isTrue("the second password", LIMIT, () -> status(client, "u:second") == 200);
      assertThat(status(client, "u:first")).isEqualTo(401);

      Files.delete(file);
      Eventually.isTrue(
          "a failure to read",
          LIMIT,
          () -> {
            assertThat(status(client, "u:second")).isEqualTo(200);
            return problems.kind(BasicAuthentication.RELOAD_FAILED).count() > 0;
          });
      Files.writeString(file, "third");
      Eventually.isTrue("the third password", LIMIT, () -> status(client, "u:third") == 200);
    }
    assertThat(log).noneMatch(line -> line.contains("second"));
  }

  @Test
  void aFileWithoutAPasswordFailsTheStart() throws Exception {
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> start(BasicAuthentication.ofPasswordFile("u", missing)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining(missing.toString());
    Path empty = directory.resolve("empty");
    Files.writeString(empty, "\n");
    assertThatThrownBy(() -> start(BasicAuthentication.ofPasswordFile("u", empty)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(empty.toString());
    Path large = directory.resolve("large");
    Files.writeString(large, "secret".repeat(1_000));
    assertThatThrownBy(() -> start(BasicAuthentication.ofPasswordFile("u", large)))
        .hasMessageContaining("6000 bytes")
        .hasMessageNotContaining("secret");
  }
}
