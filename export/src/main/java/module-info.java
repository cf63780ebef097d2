/**
 * What carries encoded bytes to whoever wants them. Knows no metric format; of HTTP libraries, the
 * JDK's.
 */
module dev.millrace.export {
  requires java.net.http;
  requires static jakarta.servlet;
  requires static org.jspecify;
  requires transitive dev.millrace.core;
  requires transitive jdk.httpserver;

  exports dev.millrace.export.disk;
  exports dev.millrace.export.http;
  exports dev.millrace.export.push;
  exports dev.millrace.export.remotewrite;
  exports dev.millrace.export.scrape;
  exports dev.millrace.export.server;
  exports dev.millrace.export.tls;
}
