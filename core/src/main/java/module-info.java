/** Bytes, the metric model and the encoders. Depends on no telemetry library. */
module dev.millrace.core {
  requires static org.jspecify;
  requires snappy.java;

  exports dev.millrace.bytes;
  exports dev.millrace.deflate;
  exports dev.millrace.format;
  exports dev.millrace.format.otlp;
  exports dev.millrace.format.prometheus;
  exports dev.millrace.format.remotewrite;
  exports dev.millrace.model;
}
