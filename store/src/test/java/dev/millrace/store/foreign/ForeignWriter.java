package dev.millrace.store.foreign;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Writes one file as a client does, by the description of its format. */
final class ForeignWriter implements AutoCloseable {
  /** The formats, with the keys of the version that matters. */
  enum Format {
    RUBY_4(true, 16),
    RUBY_5(true, 16),
    PYTHON_8(false, 8),
    PYTHON_16(false, 16),
    MMAP(false, 8);

    final boolean ruby;
    final int valueBytes;

    Format(boolean ruby, int valueBytes) {
      this.ruby = ruby;
      this.valueBytes = valueBytes;
    }

    /** The name of a process's file for a counter. */
    String counterFile(String metric, int pid) {
      return switch (this) {
        case RUBY_4, RUBY_5 -> "metric_" + metric + "___" + pid + ".bin";
        case PYTHON_8, PYTHON_16 -> "counter_" + pid + ".db";
        case MMAP -> "counter_" + pid + "-0.db";
      };
    }
  }

  private final Format format;
  private final FileChannel channel;
  private final Map<String, Integer> positions = new HashMap<>();
  private int used = 8;
  private int capacity = 512;

  ForeignWriter(Path file, Format format) throws IOException {
    this.format = format;
    channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    channel.write(ByteBuffer.allocate(1), capacity - 1L);
    writeUsed();
  }

  /** A key. */
  String key(String metric, String sample, Map<String, String> labels, String help) {
    StringBuilder key = new StringBuilder();
    if (format.ruby) {
      new TreeMap<>(labels)
          .forEach(
              (name, value) ->
                  key.append(key.isEmpty() ? "" : "&")
                      .append(name)
                      .append('=')
                      .append(form(value)));
      return key.toString();
    }
    key.append('[').append(json(metric)).append(", ").append(json(sample)).append(", ");
    if (format == Format.MMAP) {
      StringBuilder values = new StringBuilder("[");
      key.append('[');
      labels.forEach(
          (name, value) -> {
            key.append(values.length() == 1 ? "" : ",").append(json(name));
            values.append(values.length() == 1 ? "" : ",").append(json(value));
          });
      return key.append("],").append(values).append("]]").toString();
    }
    key.append('{');
    StringBuilder pairs = new StringBuilder();
    new TreeMap<>(labels)
        .forEach(
            (name, value) ->
                pairs
                    .append(pairs.isEmpty() ? "" : ", ")
                    .append(json(name))
                    .append(": ")
                    .append(json(value)));
    return key.append(pairs).append("}, ").append(json(help)).append(']').toString();
  }

  private String form(String value) {
    String encoded = URLEncoder.encode(value, StandardCharsets.UTF_8);
    return format == Format.RUBY_5 ? encoded : encoded.replace("*", "%2A").replace("%7E", "~");
  }

  private String json(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < 0x20 || (c > 0x7E && format != Format.MMAP)) {
        json.append(String.format("\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    return json.append('"').toString();
  }

  /** Sets a value, in a new entry where the key is new. */
  void set(String key, double value, double time) throws IOException {
    Integer at = positions.get(key);
    if (at == null) {
      at = append(key);
    }
    ByteBuffer bytes = ByteBuffer.allocate(format.valueBytes).order(ByteOrder.nativeOrder());
    bytes.putDouble(value);
    if (format.valueBytes == 16) {
      bytes.putDouble(time);
    }
    channel.write(bytes.flip(), at);
  }

  private int append(String key) throws IOException {
    byte[] encoded = key.getBytes(StandardCharsets.UTF_8);
    int padded = encoded.length + 8 - (encoded.length + 4) % 8;
    ByteBuffer entry =
        ByteBuffer.allocate(4 + padded + format.valueBytes).order(ByteOrder.nativeOrder());
    entry.putInt(format.ruby ? padded : encoded.length).put(encoded);
    while (entry.position() < 4 + padded) {
      entry.put((byte) ' ');
    }
    int valueAt = used + 4 + padded;
    while (used + entry.capacity() > capacity) {
      capacity *= 2;
      channel.write(ByteBuffer.allocate(1), capacity - 1L);
    }
    channel.write(entry.clear(), used);
    used += entry.capacity();
    writeUsed();
    positions.put(key, valueAt);
    return valueAt;
  }

  private void writeUsed() throws IOException {
    channel.write(ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(used).flip(), 0);
  }

  /** Bytes in use. */
  int used() {
    return used;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
