package dev.millrace.opentelemetry.autoconfigure;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Headers that settings have, checked before they cost every export. */
final class HeaderSettings {
  /** Those that are the transports' own, or have a meaning for a connection. */
  private static final Set<String> TRANSPORT_HEADERS =
      Set.of(
          "connection",
          "content-encoding",
          "content-length",
          "content-type",
          "expect",
          "host",
          "te",
          "transfer-encoding",
          "upgrade");

  private HeaderSettings() {}

  /** Headers in the form of W3C Baggage: {@code key=value,key=value}, percent-encoded. */
  static Map<String, String> ofList(Settings settings, String text) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String pair : text.split(",", -1)) {
      if (pair.isBlank()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String name = equals < 0 ? "" : pair.substring(0, equals).strip();
      if (name.isEmpty()) {
        // What is there instead may be a secret.
        throw settings.invalid(
            "headers_list",
            "name=value, separated by commas",
            "an entry without a name or a value");
      }
      String value = decoded(settings, name, pair.substring(equals + 1).strip());
      requireSendable(settings, "headers_list", name, value);
      headers.put(name, value);
    }
    return headers;
  }

  /**
   * Checks a header before it costs every export (RFC 9110, section 5).
   *
   * @param setting where it stands
   */
  static void requireSendable(Settings settings, String setting, String name, String value) {
    boolean token = name.chars().allMatch(HeaderSettings::isTokenChar);
    boolean free = !TRANSPORT_HEADERS.contains(name.toLowerCase(Locale.ROOT));
    if (!token || !free) {
      // What is no name may be a part of a value, which may be a secret.
      throw settings.invalid(
          setting,
          "names of letters, digits and hyphens that the exporter does not send itself",
          token ? name : "another one");
    }
    if (value.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw settings.invalid(
          setting, "values of printable ASCII characters", "another one in header " + name);
    }
  }

  private static boolean isTokenChar(int c) {
    return c > ' ' && c <= '~' && "()<>@,;:\\\"/[]?={}".indexOf(c) < 0;
  }

  private static String decoded(Settings settings, String name, String value) {
    try {
      // A plus sign stands for itself in baggage; the decoder is one for forms.
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw settings.invalid(
          "headers_list", "percent-encoded values", "another one in header " + name);
    }
  }
}
