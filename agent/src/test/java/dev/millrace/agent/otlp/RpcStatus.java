package dev.millrace.agent.otlp;

import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A {@code google.rpc.Status} as a client reads it. */
record RpcStatus(int code, String message) {
  static RpcStatus parse(byte[] body) {
    try {
      CodedInputStream in = CodedInputStream.newInstance(body);
      int code = 0;
      String message = "";
      for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
        switch (tag) {
          case 1 << 3 -> code = in.readInt32();
          case 2 << 3 | 2 -> message = in.readStringRequireUtf8();
          default -> throw new AssertionError("unexpected tag " + tag);
        }
      }
      return new RpcStatus(code, message);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
