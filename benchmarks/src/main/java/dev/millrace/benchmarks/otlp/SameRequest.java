package dev.millrace.benchmarks.otlp;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Collection;

/** Looks whether contestants write the same, as protobuf's own library reads it. */
final class SameRequest {
  private SameRequest() {}

  /**
   * Has both write the same items, the first one twice.
   *
   * @throws IllegalStateException if the messages differ
   */
  static <T> void check(
      Parser<? extends Message> parser,
      RequestWriter<T> writer,
      RequestWriter<T> peer,
      Collection<T> items)
      throws IOException {
    Message expected = parser.parseFrom(bytes(peer, items));
    for (int time = 1; time <= 2; time++) {
      if (!parser.parseFrom(bytes(writer, items)).equals(expected)) {
        throw new IllegalStateException(
            "expected the request that the peer writes, found another one, at time " + time);
      }
    }
  }

  /** What a contestant writes. */
  static <T> byte[] bytes(RequestWriter<T> writer, Collection<T> items) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.write(items, out);
    return out.toByteArray();
  }
}
