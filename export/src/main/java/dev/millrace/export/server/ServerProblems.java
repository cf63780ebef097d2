package dev.millrace.export.server;

import dev.millrace.export.scrape.ScrapeRefusal;
import dev.millrace.model.Problem;
import dev.millrace.model.Problems;
import org.jspecify.annotations.Nullable;

/** The kinds of problem that serving scrapes has with requests and their senders. Thread-safe. */
final class ServerProblems {
  private final Problem unknownPath;
  private final Problem wrongMethod;
  final Problem overloaded;
  final Problem slowRequest;
  final Problem aborted;
  final Problem failed;

  ServerProblems(Problems problems) {
    unknownPath = problems.kind("scrape_unknown_path");
    wrongMethod = problems.kind("scrape_wrong_method");
    overloaded = problems.kind("scrape_overloaded");
    slowRequest = problems.kind("scrape_slow_request");
    aborted = problems.kind("scrape_aborted");
    failed = problems.kind("scrape_failed");
  }

  /** Counts a path that nothing is served at. */
  ScrapeRefusal unknownPath(String path, String expected) {
    ScrapeRefusal refusal = ScrapeRefusal.ofPath(path, expected);
    unknownPath.add(1, refusal::message);
    return refusal;
  }

  /** Counts a method that is not for scrapes; {@code null} where it is. */
  @Nullable ScrapeRefusal wrongMethod(String method) {
    ScrapeRefusal refusal = ScrapeRefusal.ofMethod(method);
    if (refusal != null) {
      wrongMethod.add(1, refusal::message);
    }
    return refusal;
  }
}
