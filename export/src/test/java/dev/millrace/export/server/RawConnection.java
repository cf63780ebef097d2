package dev.millrace.export.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A client that sends what it is told, byte for byte, and reads replies strictly. */
final class RawConnection implements Closeable {
  /** Fails a test that would hang, far beyond what a loaded machine needs. */
  private static final int READ_MILLIS = 120_000;

  private final Socket socket;
  private final InputStream in;

  /** A reply: header names in lower case, the body's bytes as ISO 8859-1. */
  record Reply(int status, Map<String, String> headers, String latin1) {
    @Nullable String header(String name) {
      return headers.get(name.toLowerCase(Locale.ROOT));
    }

    byte[] bytes() {
      return latin1.getBytes(ISO_8859_1);
    }

    String text() {
      return new String(bytes(), UTF_8);
    }

    String gunzipped() throws IOException {
      return new String(
          new GZIPInputStream(new ByteArrayInputStream(bytes())).readAllBytes(), UTF_8);
    }
  }

  RawConnection(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(READ_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
  }

  static RawConnection to(InetSocketAddress address) throws IOException {
    Socket socket = new Socket();
    socket.connect(address);
    return new RawConnection(socket);
  }

  /** As {@link #to}, with the smallest receive buffer that the system has. */
  static RawConnection withSmallWindow(InetSocketAddress address) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(1);
    socket.connect(address);
    return new RawConnection(socket);
  }

  Socket socket() {
    return socket;
  }

  void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(ISO_8859_1));
  }

  /** Sends a request without a body. */
  void request(String method, String path, String... headers) throws IOException {
    StringBuilder text = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: test\r\n");
    for (String header : headers) {
      text.append(header).append("\r\n");
    }
    send(text + "\r\n");
  }

  Reply get(String path, String... headers) throws IOException {
    request("GET", path, headers);
    return reply(true);
  }

  /**
   * Reads one reply.
   *
   * @param withBody whether one is to be there: not after HEAD
   */
  Reply reply(boolean withBody) throws IOException {
    String status = line();
    if (!status.startsWith("HTTP/1.1 ")) {
      throw new IOException("expected a status line, found " + status);
    }
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      String name = line.substring(0, colon).toLowerCase(Locale.ROOT);
      if (headers.put(name, line.substring(colon + 1).strip()) != null) {
        throw new IOException("expected each header once, found " + name + " twice");
      }
    }
    String length = headers.get("content-length");
    String coding = headers.get("transfer-encoding");
    if (length != null && coding != null) {
      throw new IOException("expected either Content-Length or Transfer-Encoding, found both");
    }
    byte[] body = new byte[0];
    if (withBody && coding != null) {
      body = chunks();
    } else if (withBody) {
      if (length == null) {
        throw new IOException("expected Content-Length or Transfer-Encoding, found " + headers);
      }
      body = exactly(Integer.parseInt(length));
    }
    return new Reply(
        Integer.parseInt(status.substring(9, 12)), headers, new String(body, ISO_8859_1));
  }

  /** Reads until the peer closes; a reset counts as that. */
  byte[] untilClosed() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try {
      in.transferTo(all);
    } catch (java.net.SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      // A reset: the peer closed while there was something left to read.
    }
    return all.toByteArray();
  }

  int read() throws IOException {
    return in.read();
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int length = Integer.parseInt(line(), 16);
      body.write(exactly(length));
      if (!line().isEmpty()) {
        throw new IOException("expected an empty line after a chunk");
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
        throw new EOFException("expected a line, found the end after " + line);
      }
      if (b == '\r') {
        if (in.read() != '\n') {
          throw new IOException("expected a line feed after " + line);
        }
        return line.toString(ISO_8859_1);
      }
      line.write(b);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
