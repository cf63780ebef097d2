package dev.millrace.export.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.model.Problems;
import dev.millrace.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileCredentialsTest {
  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = directory.resolve("secret");
  }

  @Test
  void aBearerTokenIsReadAgain() throws Exception {
    Files.writeString(file, "  one\n");
    HeaderSource source = FileCredentials.bearer(file, new Problems());
    assertThat(source.headers()).containsEntry("Authorization", "Bearer one");
    Files.writeString(file, "another");
    Eventually.isTrue(
        "the other token",
        Duration.ofMinutes(1),
        () -> "Bearer another".equals(source.headers().get("Authorization")));
  }

  @Test
  void basic() throws Exception {
    Files.writeString(file, "open sesame\n");
    assertThat(FileCredentials.basic("Aladdin", file, new Problems()).headers())
        .containsEntry("Authorization", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FileCredentials.basic("a:b", file, new Problems()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n", "secret\nsecret"})
  void whatIsNotOneLineIsRefusedAndNotShown(String text) throws Exception {
    Files.writeString(file, text);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FileCredentials.bearer(file, new Problems()))
        .satisfies(
            e -> assertThat(e.getMessage()).startsWith(file.toString()).doesNotContain("secret\n"));
  }
}
