package dev.millrace.export.server;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Asks each client for a certificate where one is required. */
final class TlsConfigurator extends HttpsConfigurator {
  private final boolean clientCertificateRequired;

  TlsConfigurator(SSLContext context, boolean clientCertificateRequired) {
    super(context);
    this.clientCertificateRequired = clientCertificateRequired;
  }

  @Override
  public void configure(HttpsParameters params) {
    SSLParameters parameters = getSSLContext().getDefaultSSLParameters();
    parameters.setNeedClientAuth(clientCertificateRequired);
    params.setSSLParameters(parameters);
  }
}
