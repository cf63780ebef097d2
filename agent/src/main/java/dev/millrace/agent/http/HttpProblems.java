package dev.millrace.agent.http;

import dev.millrace.model.Problem;
import dev.millrace.model.Problems;

/** The kinds of problem that a server has with its peers, whatever they ask for. Thread-safe. */
final class HttpProblems {
  final Problem malformed;
  final Problem slowRequest;
  final Problem abortedRequest;
  final Problem stalledReply;
  final Problem tooManyConnections;
  final Problem tlsFailed;
  final Problem failed;

  HttpProblems(Problems problems) {
    malformed = problems.kind("http_malformed");
    slowRequest = problems.kind("http_request_timeout");
    abortedRequest = problems.kind("http_request_aborted");
    stalledReply = problems.kind("http_reply_stalled");
    tooManyConnections = problems.kind("http_too_many_connections");
    tlsFailed = problems.kind("http_tls_failed");
    failed = problems.kind("http_failed");
  }
}
