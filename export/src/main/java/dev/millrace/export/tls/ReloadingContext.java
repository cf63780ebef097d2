package dev.millrace.export.tls;

import dev.millrace.export.files.FileBacked;
import java.security.SecureRandom;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A context that is another one as soon as its files have changed. A context of its own for each
 * version of the files means that key, certificates and authorities always belong together, and
 * that a session which an old authority vouched for is not resumed.
 */
final class ReloadingContext extends SSLContextSpi {
  private final FileBacked<SSLContext> current;

  private ReloadingContext(FileBacked<SSLContext> current) {
    this.current = current;
  }

  static SSLContext over(FileBacked<SSLContext> current) {
    SSLContext first = current.get();
    return new SSLContext(
        new ReloadingContext(current), first.getProvider(), first.getProtocol()) {};
  }

  @Override
  protected void engineInit(
      KeyManager @Nullable [] keys,
      TrustManager @Nullable [] trust,
      @Nullable SecureRandom random) {
    throw new IllegalStateException(
        "expected no init: this context is made of its files; make another one");
  }

  @Override
  protected SSLEngine engineCreateSSLEngine() {
    return current.get().createSSLEngine();
  }

  @Override
  protected SSLEngine engineCreateSSLEngine(String host, int port) {
    return current.get().createSSLEngine(host, port);
  }

  @Override
  protected SSLSocketFactory engineGetSocketFactory() {
    return current.get().getSocketFactory();
  }

  @Override
  protected SSLServerSocketFactory engineGetServerSocketFactory() {
    return current.get().getServerSocketFactory();
  }

  @Override
  protected SSLSessionContext engineGetServerSessionContext() {
    return current.get().getServerSessionContext();
  }

  @Override
  protected SSLSessionContext engineGetClientSessionContext() {
    return current.get().getClientSessionContext();
  }

  @Override
  protected SSLParameters engineGetDefaultSSLParameters() {
    return current.get().getDefaultSSLParameters();
  }

  @Override
  protected SSLParameters engineGetSupportedSSLParameters() {
    return current.get().getSupportedSSLParameters();
  }
}
