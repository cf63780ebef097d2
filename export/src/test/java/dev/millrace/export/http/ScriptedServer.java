package dev.millrace.export.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.jspecify.annotations.Nullable;

/** An HTTP server on plain sockets that answers as a test says, also wrongly. */
public final class ScriptedServer implements AutoCloseable {
  /** A request that was read whole. */
  public static final class Request {
    private final String line;
    private final Map<String, String> headers;
    private final byte[] body;
    private final int connection;

    Request(String line, Map<String, String> headers, byte[] body, int connection) {
      this.line = line;
      this.headers = headers;
      this.body = body;
      this.connection = connection;
    }

    /** The request line. */
    public String line() {
      return line;
    }

    /** All headers, by name in lower case. */
    public Map<String, String> headers() {
      return headers;
    }

    /** The whole body. */
    public byte[] body() {
      return body;
    }

    /** Counts connections from 1. */
    public int connection() {
      return connection;
    }

    /** A header by its name in lower case; empty where there is none. */
    public String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  /** Answers one request; it may close the connection. */
  public interface Answer {
    /** Answers. */
    void to(Request request, Socket connection) throws Exception;
  }

  private final ServerSocket server;
  private final String scheme;
  private final Answer answer;
  private final List<Request> requests = new ArrayList<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private int connections;

  private ScriptedServer(ServerSocket server, String scheme, Answer answer) {
    this.server = server;
    this.scheme = scheme;
    this.answer = answer;
    daemon(this::accept);
  }

  /** A server without encryption. */
  public static ScriptedServer plain(Answer answer) throws IOException {
    return new ScriptedServer(
        new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), "http", answer);
  }

  /** A server with TLS, which may want clients to have a certificate. */
  public static ScriptedServer tls(SSLContext context, boolean clientCertificate, Answer answer)
      throws IOException {
    SSLServerSocket socket =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    socket.setNeedClientAuth(clientCertificate);
    return new ScriptedServer(socket, "https", answer);
  }

  private static void daemon(Runnable run) {
    Thread thread = new Thread(run, "scripted server");
    thread.setDaemon(true);
    thread.start();
  }

  /** A whole reply; further headers end each with CR LF. */
  public static void reply(Socket to, int status, String headers, byte[] body) throws IOException {
    OutputStream out = to.getOutputStream();
    String head = "HTTP/1.1 " + status + " X\r\n" + headers + "Content-Length: " + body.length;
    out.write((head + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
    out.write(body);
    out.flush();
  }

  /** A whole reply without a body. */
  public static void reply(Socket to, int status) throws IOException {
    reply(to, status, "", new byte[0]);
  }

  /** Where requests go. */
  public URI uri() {
    return URI.create(scheme + "://127.0.0.1:" + server.getLocalPort() + "/v1/test");
  }

  /** What was read so far. */
  public synchronized List<Request> requests() {
    return List.copyOf(requests);
  }

  /** How many connections there were. */
  public synchronized int connections() {
    return connections;
  }

  /** Connections that nobody has closed. */
  public int openConnections() {
    return open.size();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        open.add(socket);
        int number;
        synchronized (this) {
          number = ++connections;
        }
        daemon(() -> serve(socket, number));
      } catch (IOException e) {
        // The test is over, or a handshake failed.
      }
    }
  }

  private void serve(Socket socket, int number) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (Request request = read(in, number); request != null; request = read(in, number)) {
        synchronized (this) {
          requests.add(request);
        }
        answer.to(request, socket);
        if (socket.isClosed()) {
          return;
        }
      }
    } catch (Exception e) {
      // The client went away, or the answer wanted to end so.
    } finally {
      open.remove(socket);
    }
  }

  static @Nullable Request read(InputStream in, int connection) throws IOException {
    String line = line(in);
    if (line == null) {
      return null;
    }
    Map<String, String> headers = new HashMap<>();
    for (String header = line(in); header != null && !header.isEmpty(); header = line(in)) {
      int colon = header.indexOf(':');
      headers.put(
          header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).strip());
    }
    int lengthBytes = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    byte[] body = in.readNBytes(lengthBytes);
    if (body.length < lengthBytes) {
      throw new EOFException();
    }
    return new Request(line, headers, body, connection);
  }

  private static @Nullable String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        return null;
      }
      line.write(b);
    }
    return line.toString(StandardCharsets.ISO_8859_1).strip();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
