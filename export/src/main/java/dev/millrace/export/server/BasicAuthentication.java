package dev.millrace.export.server;

import dev.millrace.export.files.FileBacked;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The user and the password that scrapers have to send (RFC 7617). Immutable; shows neither in
 * {@link #toString}, in errors or in the log.
 *
 * <p>Both go over the wire as they are, so a server that listens on more than loopback should have
 * TLS too.
 *
 * <pre>{@code
 * BasicAuthentication secret = BasicAuthentication.of("prometheus", "correct horse");
 * assert !secret.toString().contains("horse");
 * }</pre>
 */
public final class BasicAuthentication {
  /** The kind of problem that counts password files which have changed and cannot be used. */
  public static final String RELOAD_FAILED = "scrape_password_reload_failed";

  /** User, colon and password together: far beyond any in use, and a header of 4 KiB. */
  static final int MAX_CREDENTIALS_BYTES = 3 * 1024;

  private final Function<Problems, BasicCheck> check;

  private BasicAuthentication(Function<Problems, BasicCheck> check) {
    this.check = check;
  }

  /**
   * A fixed password.
   *
   * @param user without a colon
   * @throws IllegalArgumentException if the user has a colon, or either has a control character, or
   *     the password is empty, or both together are longer than 3 KiB
   */
  public static BasicAuthentication of(String user, String password) {
    byte[] digest = BasicCheck.digest(user, password);
    return new BasicAuthentication(problems -> new BasicCheck(() -> digest, problems));
  }

  /**
   * A password that is asked for at every request, from threads of the server. Where it fails or
   * gives a password that {@link #of(String, String)} refuses, nobody gets in.
   */
  public static BasicAuthentication of(String user, Supplier<String> password) {
    BasicCheck.requireUser(user);
    return new BasicAuthentication(
        problems -> new BasicCheck(() -> BasicCheck.digest(user, password.get()), problems));
  }

  /**
   * A password in a file of UTF-8 text; one line break at its end is not part of it. The file is
   * looked at once a second at most and read again when it has changed. If it cannot be used then,
   * that is counted and the password before stays. It is read when the server starts, which fails
   * if it cannot be.
   */
  public static BasicAuthentication ofPasswordFile(String user, Path file) {
    BasicCheck.requireUser(user);
    return new BasicAuthentication(
        problems -> {
          FileBacked<byte[]> digest =
              new FileBacked<>(
                  List.of(file),
                  () -> read(user, file),
                  problems.kind(RELOAD_FAILED),
                  System::nanoTime);
          return new BasicCheck(digest::get, problems);
        });
  }

  /**
   * What checks requests, for a server that is not one of this package.
   *
   * @param problems counts requests that do not pass, and password files that cannot be used
   * @throws UncheckedIOException if the password's file cannot be read
   * @throws IllegalArgumentException if it has no password
   */
  public BasicCheck check(Problems problems) {
    return check.apply(problems);
  }

  private static byte[] read(String user, Path file) throws IOException {
    long sizeBytes = Files.size(file);
    if (sizeBytes > MAX_CREDENTIALS_BYTES) {
      throw new IllegalArgumentException(
          file + ": expected a password, found " + sizeBytes + " bytes; it may be another file");
    }
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    try {
      return BasicCheck.digest(user, text.replaceFirst("\r?\n$", ""));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return "BasicAuthentication";
  }
}
