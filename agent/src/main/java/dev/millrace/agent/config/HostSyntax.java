package dev.millrace.agent.config;

import org.jspecify.annotations.Nullable;

/**
 * Which texts are addresses or may be host names. Nothing is resolved, so no answer depends on the
 * network.
 */
final class HostSyntax {
  /** RFC 1035, section 2.3.4, without the final dot. */
  private static final int MAX_NAME_CHARS = 253;

  /** RFC 1035, section 2.3.4. */
  private static final int MAX_LABEL_CHARS = 63;

  private static final int IPV6_GROUPS = 8;

  private HostSyntax() {}

  /** What is wrong with an IPv4 address or a host name; null if nothing is. */
  static @Nullable String wrongWith(String host) {
    String lastLabel = host.substring(host.lastIndexOf('.') + 1);
    if (!lastLabel.isEmpty() && NumberSyntax.isDigits(lastLabel)) {
      // A name cannot end in a number (RFC 1123, section 2.1), so this can only be meant for an
      // address.
      return isIpv4(host) ? null : "an IPv4 address has four numbers from 0 to 255";
    }
    if (host.length() > MAX_NAME_CHARS) {
      return "a host name has at most " + MAX_NAME_CHARS + " characters";
    }
    for (String label : host.split("\\.", -1)) {
      if (!isLabel(label)) {
        return "a host name has letters, digits, hyphens and underscores between its dots";
      }
    }
    return null;
  }

  static boolean isIpv4(String text) {
    String[] numbers = text.split("\\.", -1);
    if (numbers.length != 4) {
      return false;
    }
    for (String number : numbers) {
      boolean leadingZero = number.length() > 1 && number.charAt(0) == '0';
      if (number.isEmpty()
          || number.length() > 3
          || leadingZero
          || !NumberSyntax.isDigits(number)
          || Integer.parseInt(number) > 255) {
        return false;
      }
    }
    return true;
  }

  /** RFC 4291, section 2.2, with an optional zone after a percent sign (RFC 4007, section 11). */
  static boolean isIpv6(String text) {
    int percent = text.indexOf('%');
    if (percent >= 0) {
      return isLabel(text.substring(percent + 1)) && isIpv6(text.substring(0, percent));
    }
    int gap = text.indexOf("::");
    if (gap < 0) {
      return groups(text, true) == IPV6_GROUPS;
    }
    int before = gap == 0 ? 0 : groups(text.substring(0, gap), false);
    int after = gap + 2 == text.length() ? 0 : groups(text.substring(gap + 2), true);
    return before >= 0 && after >= 0 && before + after < IPV6_GROUPS;
  }

  /** The number of 16-bit groups in a text without a gap; -1 if it is not made of them. */
  private static int groups(String text, boolean mayEndInIpv4) {
    String[] groups = text.split(":", -1);
    int count = 0;
    for (int i = 0; i < groups.length; i++) {
      if (isHexGroup(groups[i])) {
        count++;
      } else if (mayEndInIpv4 && i == groups.length - 1 && isIpv4(groups[i])) {
        count += 2;
      } else {
        return -1;
      }
    }
    return count;
  }

  private static boolean isHexGroup(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.digit(text.charAt(i), 16) < 0 || text.charAt(i) > 'f') {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= 4;
  }

  private static boolean isLabel(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean allowed =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || c == '-'
              || c == '_';
      if (!allowed) {
        return false;
      }
    }
    return !text.isEmpty() && text.length() <= MAX_LABEL_CHARS;
  }
}
