package dev.millrace.agent.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A client that sends exactly the bytes it is told to, and reads replies strictly. */
final class RawClient implements AutoCloseable {
  /** Far longer than anything here takes: a test that needs it fails. */
  private static final int TIMEOUT_MILLIS = 20_000;

  /**
   * A reply.
   *
   * @param headers by names in lower case; of several lines with one name, all of them
   * @param latin1Body the body's bytes as chars
   */
  record Reply(int status, Map<String, String> headers, String latin1Body) {
    byte[] bodyBytes() {
      return latin1Body.getBytes(StandardCharsets.ISO_8859_1);
    }

    String body() {
      return new String(bodyBytes(), StandardCharsets.UTF_8);
    }

    String header(String name) {
      return headers.getOrDefault(name, "(none)");
    }
  }

  private final Socket socket = new Socket();
  private final InputStream in;

  RawClient(InetSocketAddress address) throws IOException {
    this(address, 0);
  }

  /** A client that lets the peer send little ahead of what it reads. */
  RawClient(InetSocketAddress address, int receiveBufferBytes) throws IOException {
    if (receiveBufferBytes > 0) {
      socket.setReceiveBufferSize(receiveBufferBytes);
    }
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(address);
    in = new BufferedInputStream(socket.getInputStream());
  }

  RawClient send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  RawClient send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** Sends the head of an HTTP/1.1 request with a Host header. */
  RawClient head(String methodAndPath, String... headers) throws IOException {
    StringBuilder head = new StringBuilder(methodAndPath).append(" HTTP/1.1\r\nHost: x\r\n");
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return send(head.append("\r\n").toString());
  }

  /** Sends a POST to the OTLP path. */
  RawClient post(String contentType, byte[] body, String... headers) throws IOException {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add("Content-Type: " + contentType);
    all.add("Content-Length: " + body.length);
    return head("POST /v1/metrics", all.toArray(new String[0])).send(body);
  }

  /** Reads a reply to any method but HEAD. */
  Reply read() throws IOException {
    return read(true);
  }

  /** Reads a reply to HEAD. */
  Reply readHead() throws IOException {
    return read(false);
  }

  private Reply read(boolean hasBody) throws IOException {
    String[] status = line().split(" ", 3);
    if (!status[0].equals("HTTP/1.1")) {
      throw new IOException("expected HTTP/1.1, found " + status[0]);
    }
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.merge(
          line.substring(0, colon).toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip(),
          (a, b) -> a + ", " + b);
    }
    boolean chunked = "chunked".equals(headers.get("transfer-encoding"));
    String length = headers.get("content-length");
    if (chunked && length != null) {
      throw new IOException("expected chunked or Content-Length, found both");
    }
    byte[] body;
    if (!hasBody || status[1].equals("100")) {
      body = new byte[0];
    } else if (chunked) {
      body = chunks();
    } else if (length != null) {
      body = exactly(Integer.parseInt(length));
    } else {
      body = in.readAllBytes();
    }
    return new Reply(
        Integer.parseInt(status[1]), headers, new String(body, StandardCharsets.ISO_8859_1));
  }

  /** Reads what is left, up to the end of the connection. */
  byte[] readRest() throws IOException {
    return in.readAllBytes();
  }

  /** Reads one byte, or -1 at the end of the connection. */
  int readByte() throws IOException {
    return in.read();
  }

  /** Whether the peer closed the connection, with or without a reset. */
  boolean isClosedByPeer() {
    try {
      return in.read() < 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** Ends our side only. */
  void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  /** Goes away the hard way: the peer sees a reset. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int length = Integer.parseInt(line(), 16);
      body.writeBytes(exactly(length));
      if (!line().isEmpty()) {
        throw new IOException("expected the end of a chunk");
      }
      if (length == 0) {
        return body.toByteArray();
      }
    }
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("expected " + length + " bytes, found " + bytes.length);
    }
    return bytes;
  }

  private String line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (true) {
      int b = in.read();
      if (b < 0) {
        throw new EOFException("expected a line, found the end of the connection");
      }
      if (b == '\n') {
        break;
      }
      line.write(b);
    }
    String text = line.toString(StandardCharsets.ISO_8859_1);
    if (!text.endsWith("\r")) {
      throw new IOException("expected CR LF, found LF alone");
    }
    return text.substring(0, text.length() - 1);
  }
}
