package dev.millrace.export.remotewrite;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.Executors;

/** A receiver that writes what it takes into a {@link SoakLedger}. To be killed. */
final class SoakReceiver {
  private SoakReceiver() {}

  /** The port, the ledger's file, how many series, how many samples each. */
  public static void main(String[] arguments) throws IOException {
    SoakLedger ledger =
        new SoakLedger(
            Path.of(arguments[1]), Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3]));
    HttpServer http =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])),
            0);
    http.setExecutor(Executors.newCachedThreadPool());
    http.createContext("/", exchange -> take(exchange, ledger));
    http.start();
    System.out.println("ready");
  }

  private static void take(HttpExchange exchange, SoakLedger ledger) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      boolean isVersion2 =
          exchange.getRequestHeaders().getFirst("Content-Type").contains("v2.Request");
      ReadRequest request = ReadRequest.of(body, isVersion2);
      ledger.take(request);
      exchange
          .getResponseHeaders()
          .set("X-Prometheus-Remote-Write-Samples-Written", "" + request.sampleCount());
      exchange.sendResponseHeaders(204, -1);
    }
  }
}
