package dev.millrace.export.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileBackedTest {
  private static final FileTime THEN = FileTime.fromMillis(1_700_000_000_000L);

  private final List<String> log = new CopyOnWriteArrayList<>();
  private final Problem problem = new Problems(() -> 0, log::add).kind("reload");
  private long now;
  private int loads;

  @TempDir private Path directory;

  private FileBacked<String> over(Path file) {
    return new FileBacked<>(
        List.of(file),
        () -> {
          loads++;
          String text = Files.readString(file);
          if (text.startsWith("broken")) {
            throw new IllegalArgumentException(file + ": expected something whole, found half");
          }
          return text;
        },
        problem,
        () -> now);
  }

  private Path write(String text) throws Exception {
    Path file = Files.writeString(directory.resolve("file"), text);
    Files.setLastModifiedTime(file, THEN);
    return file;
  }

  private void aSecondLater() {
    now += FileBacked.CHECK_NANOS;
  }

  @Test
  void looksOnceASecondAndReadsWhatHasChanged() throws Exception {
    Path file = write("one");
    FileBacked<String> value = over(file);
    assertThat(value.get()).isEqualTo("one");
    Files.writeString(file, "three");
    now += FileBacked.CHECK_NANOS - 1;
    assertThat(value.get()).isEqualTo("one");
    now++;
    assertThat(value.get()).isEqualTo("three");
    aSecondLater();
    assertThat(value.get()).isEqualTo("three");
    assertThat(loads).isEqualTo(2);
  }

  @Test
  void seesAnotherTimeAloneAndAnotherFileAlone() throws Exception {
    Path file = write("one");
    FileBacked<String> value = over(file);
    Files.writeString(file, "two");
    Files.setLastModifiedTime(file, FileTime.fromMillis(THEN.toMillis() - 1));
    aSecondLater();
    assertThat(value.get()).isEqualTo("two");

    Path other = Files.writeString(directory.resolve("other"), "six");
    Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
    Files.move(other, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    aSecondLater();
    assertThat(value.get()).isEqualTo("six");
  }

  @Test
  void keepsTheLastGoodValueAndTriesAgain() throws Exception {
    Path file = write("one");
    FileBacked<String> value = over(file);
    Files.writeString(file, "broken");
    aSecondLater();
    assertThat(value.get()).isEqualTo("one");
    assertThat(value.get()).isEqualTo("one");
    assertThat(problem.count()).isEqualTo(1);
    Files.delete(file);
    aSecondLater();
    assertThat(value.get()).isEqualTo("one");
    assertThat(problem.count()).isEqualTo(2);
    assertThat(log).singleElement().asString().contains(file.toString(), "stays in use");

    write("one");
    aSecondLater();
    assertThat(value.get()).isEqualTo("one");
    assertThat(problem.count()).isEqualTo(2);
    write("two");
    Files.setLastModifiedTime(file, FileTime.fromMillis(THEN.toMillis() + 1));
    aSecondLater();
    assertThat(value.get()).isEqualTo("two");
  }

  @Test
  void theFirstReadingHasToGoWell() throws Exception {
    Path broken = write("broken");
    assertThatThrownBy(() -> over(broken))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("found half");
    assertThatThrownBy(() -> over(directory.resolve("missing")))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("NoSuchFileException")
        .hasMessageContaining("missing");
    assertThat(problem.count()).isZero();
  }
}
