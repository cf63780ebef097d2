package dev.millrace.export.http;

import dev.millrace.export.files.FileBacked;
import dev.millrace.model.Problems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * The header {@code Authorization} with a secret from a file, which is read again when it changes,
 * at most once a second. While it cannot be read, which {@link #RELOAD_FAILED} counts, the last
 * good secret stays in use.
 */
public final class FileCredentials {
  /** The kind of problem that counts files which have changed and cannot be used. */
  public static final String RELOAD_FAILED = "credentials_reload_failed";

  /** Tokens are a few kilobytes at most: servers limit all headers to 8 KiB or so. */
  static final int MAX_FILE_BYTES = 64 * 1024;

  private FileCredentials() {}

  /**
   * A bearer token (RFC 6750).
   *
   * @param token a file with nothing but the token; white space around it is left out
   * @throws UncheckedIOException if the file cannot be read
   * @throws IllegalArgumentException if it holds no token
   */
  public static HeaderSource bearer(Path token, Problems problems) {
    return authorization(token, problems, secret -> "Bearer " + secret);
  }

  /**
   * Basic authentication (RFC 7617), in UTF-8.
   *
   * @param password a file with nothing but the password; white space around it is left out
   * @throws UncheckedIOException if the file cannot be read
   * @throws IllegalArgumentException if it holds no password, or the user's name has a colon
   */
  public static HeaderSource basic(String username, Path password, Problems problems) {
    if (username.indexOf(':') >= 0) {
      throw new IllegalArgumentException(
          "username: expected no colon, which basic authentication cannot carry, found one");
    }
    return authorization(
        password,
        problems,
        secret ->
            "Basic "
                + Base64.getEncoder()
                    .encodeToString((username + ":" + secret).getBytes(StandardCharsets.UTF_8)));
  }

  private interface Scheme {
    String value(String secret);
  }

  private static HeaderSource authorization(Path file, Problems problems, Scheme scheme) {
    FileBacked<Map<String, String>> headers =
        new FileBacked<>(
            List.of(file),
            () -> Map.of("Authorization", scheme.value(read(file))),
            problems.kind(RELOAD_FAILED),
            System::nanoTime);
    return headers::get;
  }

  private static String read(Path file) throws IOException {
    long sizeBytes = Files.size(file);
    if (sizeBytes > MAX_FILE_BYTES) {
      throw new IllegalArgumentException(
          file + ": expected a secret of at most " + MAX_FILE_BYTES + " bytes, found " + sizeBytes);
    }
    String secret = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).strip();
    if (secret.isEmpty() || secret.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          file
              + ": expected one line with a secret, found "
              + (secret.isEmpty() ? "nothing" : "control characters")
              + "; write the secret alone into it");
    }
    return secret;
  }
}
