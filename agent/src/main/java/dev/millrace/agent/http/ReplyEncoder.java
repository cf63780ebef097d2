package dev.millrace.agent.http;

import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseEncoder;

/** Writes replies. It has to know which of them answer a HEAD, because those have no body. */
final class ReplyEncoder extends HttpResponseEncoder {
  private boolean head;

  /** Says whether the reply to come answers a HEAD. */
  void expectHead(boolean head) {
    this.head = head;
  }

  @Override
  protected boolean isContentAlwaysEmpty(HttpResponse message) {
    return head || super.isContentAlwaysEmpty(message);
  }
}
