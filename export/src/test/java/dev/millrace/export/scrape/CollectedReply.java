package dev.millrace.export.scrape;

import dev.millrace.bytes.Chunk;
import dev.millrace.bytes.ChunkPool;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Keeps a reply, and can be a peer that goes away. */
final class CollectedReply implements ScrapeReply {
  final List<String> calls = new ArrayList<>();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private final int chunksUntilGone;
  private final Runnable onChunk;
  private int chunks;

  CollectedReply() {
    this(Integer.MAX_VALUE, () -> {});
  }

  CollectedReply(int chunksUntilGone, Runnable onChunk) {
    this.chunksUntilGone = chunksUntilGone;
    this.onChunk = onChunk;
  }

  @Override
  public void start(String contentType, @Nullable String contentEncoding) {
    calls.add("start " + contentType + " " + contentEncoding);
  }

  @Override
  public void accept(Chunk chunk, ChunkPool pool) {
    try {
      onChunk.run();
      if (chunks++ == chunksUntilGone) {
        throw new UncheckedIOException(new IOException("gone"));
      }
      body.write(chunk.bytes(), 0, chunk.lengthBytes());
    } finally {
      pool.giveBack(chunk);
    }
  }

  @Override
  public void end() {
    calls.add("end");
  }

  @Override
  public void abort() {
    throw new AssertionError("expected nobody to wait for this reply");
  }

  byte[] bytes() {
    return body.toByteArray();
  }

  String text() {
    return body.toString(StandardCharsets.UTF_8);
  }

  String gunzipped() throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes()))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
