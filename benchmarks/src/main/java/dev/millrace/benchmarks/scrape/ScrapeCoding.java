package dev.millrace.benchmarks.scrape;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** How the reply is coded, with each contestant's defaults. */
public enum ScrapeCoding {
  /** As it is. */
  IDENTITY {
    @Override
    OutputStream encode(OutputStream out) {
      return out;
    }

    @Override
    InputStream decode(InputStream in) {
      return in;
    }

    @Override
    String acceptEncoding() {
      return "identity";
    }
  },
  /** As Prometheus asks for it. */
  GZIP {
    @Override
    OutputStream encode(OutputStream out) throws IOException {
      return new GZIPOutputStream(out);
    }

    @Override
    InputStream decode(InputStream in) throws IOException {
      return new GZIPInputStream(in);
    }

    @Override
    String acceptEncoding() {
      return "gzip";
    }
  };

  /** What client_java, which the OpenTelemetry exporter uses too, writes to; closed by its user. */
  abstract OutputStream encode(OutputStream out) throws IOException;

  /** What it was before it was coded. */
  abstract InputStream decode(InputStream in) throws IOException;

  /** The header that asks for it. */
  abstract String acceptEncoding();
}
