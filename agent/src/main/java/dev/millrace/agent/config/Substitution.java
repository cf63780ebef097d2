package dev.millrace.agent.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Puts environment variables in place of <code>${env:NAME}</code>, <code>${NAME}</code> and <code>
 * ${env:NAME:-default}</code>, and a dollar sign in place of <code>$$</code>.
 *
 * <p>As in the OpenTelemetry Collector, the default stands in for a variable that is not set, not
 * for one that is empty, and a dollar sign that begins none of these forms stands for itself.
 * Unlike there, a variable that is not set and has no default is an error, because an empty value
 * in its place would silently be something else; and what a variable holds is taken as it is,
 * neither substituted again nor read as YAML, so that it can only ever be one value.
 */
final class Substitution {
  private static final String SCHEME = "env:";
  private static final String DEFAULT_MARK = ":-";

  private final YamlNode.Scalar scalar;
  private final Map<String, String> env;
  private final Problems problems;
  private final StringBuilder result = new StringBuilder();
  private boolean substituted;

  private Substitution(YamlNode.Scalar scalar, Map<String, String> env, Problems problems) {
    this.scalar = scalar;
    this.env = env;
    this.problems = problems;
  }

  /** The value of a scalar; null if a problem was added instead. */
  static @Nullable Value apply(YamlNode.Scalar scalar, Map<String, String> env, Problems problems) {
    if (scalar.text().indexOf('$') < 0) {
      return new Value(scalar.at(), scalar.text(), scalar.plain(), false, scalar.text());
    }
    return new Substitution(scalar, env, problems).apply();
  }

  private @Nullable Value apply() {
    String text = scalar.text();
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      char following = i + 1 < text.length() ? text.charAt(i + 1) : ' ';
      if (c == '$' && following == '{') {
        int end = text.indexOf('}', i);
        if (end < 0) {
          return failed("expected } after ${ in " + written() + "; write $$ for a dollar sign");
        }
        if (!substitute(text.substring(i + 2, end))) {
          return null;
        }
        i = end + 1;
      } else {
        result.append(c);
        i += c == '$' && following == '$' ? 2 : 1;
      }
    }
    boolean plain = scalar.plain() || substituted;
    return new Value(scalar.at(), result.toString(), plain, substituted, text);
  }

  /** Appends the value of what stands between the braces; false if a problem was added instead. */
  private boolean substitute(String inner) {
    substituted = true;
    int defaultAt = inner.indexOf(DEFAULT_MARK);
    String reference = defaultAt < 0 ? inner : inner.substring(0, defaultAt);
    String name = reference.startsWith(SCHEME) ? reference.substring(SCHEME.length()) : reference;
    if (inner.indexOf('$') >= 0) {
      failed("${...} inside ${...} in " + written() + " is not supported; write one variable");
      return false;
    }
    if (!isName(name)) {
      failed(
          "expected ${env:NAME} or ${env:NAME:-default}, found "
              + Shown.quoted("${" + inner + "}")
              + "; a name has letters, digits and _; write $$ for a dollar sign");
      return false;
    }
    String value = env.get(name);
    if (value == null && defaultAt < 0) {
      failed(
          "the environment variable "
              + Shown.clean(name)
              + " is not set; set it, or give a default: ${env:"
              + Shown.clean(name)
              + ":-default}");
      return false;
    }
    result.append(value == null ? inner.substring(defaultAt + DEFAULT_MARK.length()) : value);
    return true;
  }

  private String written() {
    return Shown.quoted(scalar.text());
  }

  private @Nullable Value failed(String message) {
    problems.add(scalar.at(), message);
    return null;
  }

  private static boolean isName(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      if (!letter && (i == 0 || c < '0' || c > '9')) {
        return false;
      }
    }
    return !name.isEmpty();
  }
}
