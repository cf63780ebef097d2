package dev.millrace.agent.http;

import dev.millrace.model.Problem;
import dev.millrace.model.Problems;

/** The kinds of problem that the scrape endpoint has with requests. Thread-safe. */
final class ScrapeProblems {
  final Problem unknownPath;
  final Problem wrongMethod;
  final Problem body;
  final Problem overloaded;
  final Problem aborted;
  final Problem failed;

  ScrapeProblems(Problems problems) {
    unknownPath = problems.kind("scrape_unknown_path");
    wrongMethod = problems.kind("scrape_wrong_method");
    body = problems.kind("scrape_body");
    overloaded = problems.kind("scrape_overloaded");
    aborted = problems.kind("scrape_aborted");
    failed = problems.kind("scrape_failed");
  }
}
