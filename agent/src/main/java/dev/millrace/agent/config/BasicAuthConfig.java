package dev.millrace.agent.config;

import static java.util.Objects.requireNonNull;

import dev.millrace.export.server.BasicAuthentication;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The user and the password that a server of the agent asks for. Immutable; shows neither. */
public final class BasicAuthConfig {
  private final BasicAuthentication authentication;

  private BasicAuthConfig(BasicAuthentication authentication) {
    this.authentication = authentication;
  }

  /** The user and the password, for whoever checks requests. */
  public BasicAuthentication authentication() {
    return authentication;
  }

  /** Reads a section; null if it cannot be used, which is reported then. */
  static @Nullable BasicAuthConfig read(Section section) {
    String username = section.secret("username");
    String password = section.secret("password");
    Path passwordFile = section.file("password_file");
    if (username == null
        || (password == null && passwordFile == null)
        || (password != null && passwordFile != null)) {
      section.problem(
          "expected username, and either password or password_file, found "
              + (username == null ? "no username" : password == null ? "neither" : "both"));
      return null;
    }
    try {
      return new BasicAuthConfig(
          password != null
              ? BasicAuthentication.of(username, password)
              : BasicAuthentication.ofPasswordFile(username, requireNonNull(passwordFile)));
    } catch (IllegalArgumentException e) {
      section.problem(String.valueOf(e.getMessage()));
      return null;
    }
  }

  @Override
  public String toString() {
    return "BasicAuthConfig";
  }
}
