package dev.millrace.export.server;

import dev.millrace.export.scrape.ScrapeRefusal;
import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compares what a request sends with what is expected, in a time that depends on the request alone:
 * both are digested first, so that neither length nor any prefix shows. Thread-safe.
 */
public final class BasicCheck {
  /** What the user and the password are for, as clients are told. */
  public static final String REALM = "metrics";

  private static final String SCHEME = "Basic ";
  private static final int MAX_HEADER_CHARS =
      SCHEME.length() + 4 * BasicAuthentication.MAX_CREDENTIALS_BYTES / 3;

  private final Supplier<byte[]> expectedDigest;
  private final Problem unauthorized;

  /**
   * A check.
   *
   * @param expectedDigest gives what {@link #digest} made of the right user and password
   */
  BasicCheck(Supplier<byte[]> expectedDigest, Problems problems) {
    this.expectedDigest = expectedDigest;
    unauthorized = problems.kind("scrape_unauthorized");
  }

  /**
   * Whether a request may pass. One that may not is counted as {@code scrape_unauthorized}; it is
   * to be answered with {@link ScrapeRefusal#ofCredentials}. Nobody passes where the password's
   * supplier fails.
   *
   * @param authorization all its headers of that name, none or {@code null} where there are none
   * @param peer who sent it, for the log
   */
  public boolean passes(@Nullable List<String> authorization, Object peer) {
    try {
      if (passes(authorization)) {
        return true;
      }
      unauthorized.add(
          1,
          () ->
              "expected the user and the password of this server, found others or none, from "
                  + peer);
    } catch (RuntimeException e) {
      // Its message may be made of the secret.
      unauthorized.add(
          1, () -> "expected a password from its supplier, found " + e.getClass().getName());
    }
    return false;
  }

  private boolean passes(@Nullable List<String> authorization) {
    byte[] expected = expectedDigest.get();
    if (authorization == null || authorization.size() != 1) {
      return false;
    }
    String header = authorization.get(0);
    if (header.length() > MAX_HEADER_CHARS
        || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return false;
    }
    byte[] credentials;
    try {
      credentials = Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
    } catch (IllegalArgumentException e) {
      return false;
    }
    return MessageDigest.isEqual(sha256(credentials), expected);
  }

  /**
   * The digest of the right credentials.
   *
   * @throws IllegalArgumentException if they cannot be any
   */
  static byte[] digest(String user, String password) {
    requireUser(user);
    if (password.isEmpty() || password.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "password: expected one or more characters without control characters, found "
              + (password.isEmpty() ? "none" : "a control character"));
    }
    byte[] credentials = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    if (credentials.length > BasicAuthentication.MAX_CREDENTIALS_BYTES) {
      throw new IllegalArgumentException(
          "user and password: expected at most "
              + BasicAuthentication.MAX_CREDENTIALS_BYTES
              + " bytes together, found "
              + credentials.length);
    }
    return sha256(credentials);
  }

  static void requireUser(String user) {
    if (user.indexOf(':') >= 0 || user.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "user: expected no colon and no control character, found one");
    }
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
