package dev.millrace.agent.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.millrace.agent.config.ConfigException.Problem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever the bytes, the answer is a configuration or a {@link ConfigException} of bounded size.
 */
class ConfigFuzzTest {
  private static final String SECRET = "hunter2";
  private static final Map<String, String> ENV = Map.of("SECRET", SECRET, "PORT", "4317");

  /** A problem is a line for a person: a few shortened texts and at most a dozen names. */
  private static final int MAX_MESSAGE_CHARS = 1_500;

  /** Enough that time or stack in the square of the nesting would be felt. */
  private static final int PIECES_BYTES = 1 << 18;

  private static final String VALID =
      """
      receivers:
        otlp: &r
          protocols:
            http:
              endpoint: "127.0.0.1:${env:PORT}"
              max_request_body_size: 64MiB
        otlp/2: {protocols: {http: {endpoint: "[::1]:0"}}}
        otlp/3: *r
      exporters:
        prometheus:
          endpoint: 127.0.0.1:9464 # a comment
          metric_expiration: 1m30s
          max_series: ${env:UNSET:-1000}
      service:
        pipelines:
          metrics:
            receivers: [otlp, otlp/2]
            exporters:
              - prometheus
      """;

  private static final String[] PIECES = {
    "\t",
    "[",
    "]",
    "{",
    "}",
    ": ",
    "- ",
    "&a ",
    "*a ",
    "*r",
    "!t ",
    "? ",
    "\"",
    "'",
    "|\n",
    ">\n",
    "#",
    "%YAML 1.2\n",
    "---\n",
    "...\n",
    "<<: *r\n",
    "${env:SECRET}",
    "${",
    "}",
    "$$",
    "~",
    "\r",
    "\u0000",
    "\u2028",
    "\uFEFF",
    "\uD83D\uDE00",
    "@",
    "`",
    "0",
    "99999999999999999999",
    "\n",
    "  ",
    "otlp",
    "prometheus",
    "metrics:",
    "traces:"
  };

  @Test
  void mutatedTextsAndBytesAreReadOrRefused() {
    long seed = 20_260_101;
    SplittableRandom random = new SplittableRandom(seed);
    int refused = 0;
    int rounds = 5_000;
    for (int round = 0; round < rounds; round++) {
      byte[] bytes = VALID.getBytes(StandardCharsets.UTF_8);
      for (int count = random.nextInt(1, 4); count > 0; count--) {
        bytes = mutated(bytes, random);
      }
      refused += isRefused(bytes, "seed " + seed + ", round " + round) ? 1 : 0;
    }
    // Both ends are reached: mutations within comments and values pass, the others do not.
    assertThat(refused).isBetween(rounds / 2, rounds - rounds / 50);
  }

  private static byte[] mutated(byte[] bytes, SplittableRandom random) {
    if (bytes.length == 0) {
      return VALID.getBytes(StandardCharsets.UTF_8);
    }
    return switch (random.nextInt(5)) {
      case 0 -> {
        byte[] flipped = bytes.clone();
        flipped[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        yield flipped;
      }
      case 1 -> {
        byte[] replaced = bytes.clone();
        replaced[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        yield replaced;
      }
      case 2 -> {
        String piece = PIECES[random.nextInt(PIECES.length)];
        yield inserted(bytes, random.nextInt(bytes.length + 1), piece);
      }
      case 3 -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
      default -> withOtherLines(bytes, random);
    };
  }

  private static byte[] inserted(byte[] bytes, int at, String piece) {
    byte[] middle = piece.getBytes(StandardCharsets.UTF_8);
    byte[] result = new byte[bytes.length + middle.length];
    System.arraycopy(bytes, 0, result, 0, at);
    System.arraycopy(middle, 0, result, at, middle.length);
    System.arraycopy(bytes, at, result, at + middle.length, bytes.length - at);
    return result;
  }

  /** Latin-1 keeps bytes that are not UTF-8 as they are. */
  private static byte[] withOtherLines(byte[] bytes, SplittableRandom random) {
    List<String> lines =
        new ArrayList<>(List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("\n", -1)));
    int at = random.nextInt(lines.size());
    switch (random.nextInt(4)) {
      case 0 -> lines.remove(at);
      case 1 -> lines.add(random.nextInt(lines.size() + 1), lines.get(at));
      case 2 -> lines.set(at, " ".repeat(random.nextInt(1, 4)) + lines.get(at));
      default -> lines.add(lines.remove(at));
    }
    return String.join("\n", lines).getBytes(StandardCharsets.ISO_8859_1);
  }

  private static boolean isRefused(byte[] bytes, String description) {
    Problems problems = new Problems("fuzz.yaml");
    try {
      AgentConfigReader.read(ConfigFile.decode(bytes, problems), ENV, problems);
      return false;
    } catch (ConfigException e) {
      int lines = 1 + (int) new String(bytes, StandardCharsets.UTF_8).lines().count();
      assertThat(e.problems()).as(description).hasSizeBetween(1, Problems.MAX_KEPT);
      for (Problem problem : e.problems()) {
        if (!isBounded(problem, lines)) {
          fail(description + ": " + problem);
        }
      }
      return true;
    } catch (RuntimeException e) {
      return fail(description, e);
    }
  }

  private static boolean isBounded(Problem problem, int lines) {
    String message = problem.message();
    return problem.line() <= lines
        && !message.isBlank()
        && message.length() <= MAX_MESSAGE_CHARS
        && !message.contains(SECRET)
        && message.chars().noneMatch(Character::isISOControl);
  }

  /** Without a depth limit that is kept while parsing, some take minutes or all the stack. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[",
        "{",
        "- ",
        "? ",
        "[{",
        "{a: ",
        "[a,",
        "a: ",
        "a:\n",
        "- a\n",
        "&a ",
        "*a ",
        "!t ",
        "'",
        "\"",
        "\\",
        "|",
        ">",
        "%",
        "#",
        "\t",
        "\n",
        " ",
        "\r",
        ",",
        ":",
        "${",
        "a",
        "---\n",
        "\u2028",
        "\uFEFF",
        "é",
        "\uD83D\uDE00"
      })
  void aFileOfOnePieceIsRefusedInBoundedTimeAndSpace(String piece) {
    byte[] bytes = repeated(piece);

    assertThat(isRefused(bytes, "pieces " + Shown.quoted(piece))).isTrue();
    byte[] within =
        ("receivers:\n  otlp: " + new String(bytes, StandardCharsets.UTF_8))
            .getBytes(StandardCharsets.UTF_8);
    assertThat(isRefused(within, "pieces within " + Shown.quoted(piece))).isTrue();
  }

  private static byte[] repeated(String piece) {
    int count = PIECES_BYTES / piece.getBytes(StandardCharsets.UTF_8).length;
    return piece.repeat(count).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void anAliasBombCostsNothing() {
    StringBuilder yaml = new StringBuilder("receivers:\n  a0: &a0 [x, x]\n");
    for (int i = 1; i < 30; i++) {
      yaml.append("  a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }

    assertThat(isRefused(yaml.toString().getBytes(StandardCharsets.UTF_8), "bomb")).isTrue();
  }

  @Test
  void nestingStopsAtTheLimit() {
    String deepest = "{a: ".repeat(YamlReader.MAX_DEPTH);

    assertThatThrownBy(() -> AgentConfig.parse("deep.yaml", "x: " + deepest, ENV))
        .hasMessageContaining("nested more than 32 deep");
    String closed = "x: " + "{a: ".repeat(31) + "1" + "}".repeat(31);
    assertThatThrownBy(() -> AgentConfig.parse("deep.yaml", closed, ENV))
        .hasMessageContaining("unknown key \"x\"")
        .hasMessageNotContaining("nested");
  }

  @Test
  void thousandsOfComponentsAreFine() throws ConfigException {
    int count = 5_000;
    StringBuilder yaml = new StringBuilder("receivers:\n");
    StringBuilder list = new StringBuilder("otlp/0");
    for (int i = 0; i < count; i++) {
      yaml.append("  otlp/%d: {protocols: {http: {endpoint: 'localhost:0'}}}\n".formatted(i));
      list.append(i == 0 ? "" : ", otlp/" + i);
    }
    yaml.append(
        "exporters: {prometheus: }\nservice: {pipelines: {metrics: {exporters: [prometheus]");
    yaml.append(", receivers: [").append(list).append("]}}}\n");

    assertThat(AgentConfig.parse("large.yaml", yaml.toString(), ENV).receivers()).hasSize(count);
  }
}
