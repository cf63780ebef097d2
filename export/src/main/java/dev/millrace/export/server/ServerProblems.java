package dev.millrace.export.server;

import dev.millrace.model.Problem;
import dev.millrace.model.Problems;

/** The kinds of problem that serving scrapes has with requests and their senders. Thread-safe. */
final class ServerProblems {
  /** What of a peer's text is kept in a message: enough to see what it was. */
  private static final int MAX_QUOTE_CHARS = 120;

  final Problem unknownPath;
  final Problem wrongMethod;
  final Problem unauthorized;
  final Problem overloaded;
  final Problem slowRequest;
  final Problem aborted;
  final Problem failed;

  ServerProblems(Problems problems) {
    unknownPath = problems.kind("scrape_unknown_path");
    wrongMethod = problems.kind("scrape_wrong_method");
    unauthorized = problems.kind("scrape_unauthorized");
    overloaded = problems.kind("scrape_overloaded");
    slowRequest = problems.kind("scrape_slow_request");
    aborted = problems.kind("scrape_aborted");
    failed = problems.kind("scrape_failed");
  }

  /** A peer's text for a message: printable ASCII, and not long. */
  static String quote(String text) {
    StringBuilder quote = new StringBuilder();
    for (int i = 0; i < Math.min(text.length(), MAX_QUOTE_CHARS); i++) {
      char c = text.charAt(i);
      quote.append(c < ' ' || c > '~' ? '?' : c);
    }
    return quote.append(text.length() > MAX_QUOTE_CHARS ? "..." : "").toString();
  }
}
