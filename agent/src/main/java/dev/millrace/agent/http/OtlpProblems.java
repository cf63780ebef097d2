package dev.millrace.agent.http;

import dev.millrace.model.Problem;
import dev.millrace.model.Problems;

/** The kinds of problem that the OTLP endpoint has with requests. Thread-safe. */
final class OtlpProblems {
  final Problem unknownPath;
  final Problem wrongMethod;
  final Problem wrongContentType;
  final Problem wrongContentEncoding;
  final Problem tooLarge;
  final Problem brokenBody;
  final Problem overloaded;
  final Problem failed;

  OtlpProblems(Problems problems) {
    unknownPath = problems.kind("otlp_unknown_path");
    wrongMethod = problems.kind("otlp_wrong_method");
    wrongContentType = problems.kind("otlp_wrong_content_type");
    wrongContentEncoding = problems.kind("otlp_wrong_content_encoding");
    tooLarge = problems.kind("otlp_body_too_large");
    brokenBody = problems.kind("otlp_body_not_decompressed");
    overloaded = problems.kind("otlp_overloaded");
    failed = problems.kind("otlp_failed");
  }
}
