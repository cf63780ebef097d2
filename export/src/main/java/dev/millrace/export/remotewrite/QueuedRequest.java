package dev.millrace.export.remotewrite;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.Payload;
import dev.millrace.format.remotewrite.RequestContent;

/**
 * One request that waits for its receiver. Whoever has it owns its payload.
 *
 * @param content what it held when it was made, which is what is counted for it in the end
 * @param heldBytes the memory that the payload takes: whole chunks
 * @param queuedAtNanos when, by the timer's clock
 * @param sequence the order of requests in the queue, over all shards
 */
record QueuedRequest(
    Payload payload, RequestContent content, long heldBytes, long queuedAtNanos, long sequence) {
  /** A request that was made just now. */
  static QueuedRequest of(
      Payload payload, RequestContent content, long queuedAtNanos, long sequence) {
    long heldBytes = 0;
    for (Chunk chunk = payload.first(); chunk != null; chunk = chunk.next()) {
      heldBytes += Chunk.SIZE_BYTES;
    }
    return new QueuedRequest(payload, content, heldBytes, queuedAtNanos, sequence);
  }

  /** What the disk queue calls items, of which it wants one at least. */
  int itemsOnDisk() {
    return Math.max(1, items());
  }

  /** Samples and histograms. */
  int items() {
    return content.samples() + content.histograms();
  }

  /** The same request in other bytes, which it owns from here on. */
  QueuedRequest with(Payload other) {
    return of(other, content, queuedAtNanos, sequence);
  }

  /** A part of the request. */
  QueuedRequest part(Payload part, RequestContent partContent) {
    return of(part, partContent, queuedAtNanos, sequence);
  }
}
