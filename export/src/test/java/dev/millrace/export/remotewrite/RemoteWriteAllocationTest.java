package dev.millrace.export.remotewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.format.remotewrite.RemoteWriteLimits;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a push costs in garbage, on all threads of the writer and its client together. */
class RemoteWriteAllocationTest {
  /**
   * The most that a push may allocate, whatever its size: almost all of it is the JDK's client's,
   * and two writes at once would double it.
   */
  private static final long MAX_BYTES = 40_000;

  private static final int WARMUPS = 300;
  private static final int PUSHES = 50;
  private static final int ROUNDS = 5;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks =
      GivenBack.to(new ChunkPool(256), ChunkPool::outstandingChunks);

  /** Reads requests and answers them, without garbage: its thread is in this process. */
  private static final class Sink implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    final Thread thread = new Thread(this::serve, "sink");

    Sink() throws Exception {
      thread.setDaemon(true);
      thread.start();
    }

    URI uri() {
      return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
    }

    private void serve() {
      byte[] reply = "HTTP/1.1 204 X\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
      byte[] buffer = new byte[1 << 16];
      try (Socket socket = server.accept()) {
        InputStream in = socket.getInputStream();
        OutputStream out = socket.getOutputStream();
        int filled = 0;
        while (true) {
          int end = headEnd(buffer, filled);
          if (end < 0) {
            int read = in.read(buffer, filled, buffer.length - filled);
            if (read < 0) {
              return;
            }
            filled += read;
            continue;
          }
          long left = lengthBytes(buffer, end) - (filled - end);
          while (left > 0) {
            left -= in.read(buffer, 0, (int) Math.min(left, buffer.length));
          }
          filled = 0;
          out.write(reply);
        }
      } catch (IOException e) {
        // The test is over.
      }
    }

    private static int headEnd(byte[] bytes, int length) {
      for (int i = 3; i < length; i++) {
        if (bytes[i] == '\n' && bytes[i - 2] == '\n') {
          return i + 1;
        }
      }
      return -1;
    }

    private static long lengthBytes(byte[] bytes, int end) {
      byte[] name = {'c', 'o', 'n', 't', 'e', 'n', 't', '-', 'l', 'e', 'n', 'g', 't', 'h', ':'};
      for (int i = 0; i + name.length < end; i++) {
        int k = 0;
        while (k < name.length && (bytes[i + k] | 0x20) == (name[k] | 0x20)) {
          k++;
        }
        if (k == name.length) {
          long value = 0;
          for (int j = i + k; bytes[j] != '\r'; j++) {
            value = bytes[j] == ' ' ? value : 10 * value + bytes[j] - '0';
          }
          return value;
        }
      }
      throw new IllegalStateException("expected a request with a length, found none");
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }

  @Test
  void aPushAllocatesLittleWhateverItsSize() throws Exception {
    for (int samples : new int[] {100, 10_000}) {
      try (Sink sink = new Sink()) {
        RemoteWriterOptions options =
            Receives.options(sink.uri(), Receives.problems(new ArrayList<>()));
        RemoteWriter writer =
            new RemoteWriter(
                options.withEncoding(
                    options
                        .encoding()
                        .withLimits(RemoteWriteLimits.DEFAULT.withMaxSamples(samples))),
                chunks.pool());
        Points points = new Points("load");
        long begin = System.currentTimeMillis();
        for (int i = 0; i < samples; i++) {
          points.add(i % 10, begin + i, i);
        }
        for (int i = 0; i < WARMUPS; i++) {
          push(writer, points);
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
          long before = allocatedBytes();
          for (int i = 0; i < PUSHES; i++) {
            push(writer, points);
          }
          least = Math.min(least, allocatedBytes() - before);
        }
        assertThat(writer.stats().samples().sent())
            .isEqualTo((long) samples * (WARMUPS + ROUNDS * PUSHES));
        assertThat(least / PUSHES).as("bytes a push of %d samples", samples).isLessThan(MAX_BYTES);
        assertThat(writer.stats().samples().droppedTotal()).isZero();
        assertThat(Receives.shutdown(writer)).isTrue();
      }
    }
  }

  private static void push(RemoteWriter writer, Points points) {
    Receives.write(writer, points);
    assertFlushed(writer);
  }

  private static void assertFlushed(RemoteWriter writer) {
    if (!Receives.flush(writer)) {
      throw new AssertionError("expected an answer, found none");
    }
  }

  private static long allocatedBytes() {
    long sum = AllocationMeter.allocatedBytes(Thread.currentThread());
    List<String> counted = List.of("millrace", "HttpClient");
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (counted.stream().anyMatch(thread.getName()::startsWith)) {
        sum += AllocationMeter.allocatedBytes(thread);
      }
    }
    return sum;
  }
}
