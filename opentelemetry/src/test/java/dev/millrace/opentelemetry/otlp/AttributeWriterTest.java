package dev.millrace.opentelemetry.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.bytes.ChunkPool;
import dev.millrace.bytes.Payload;
import dev.millrace.bytes.ProtobufWriter;
import dev.millrace.testkit.Eventually;
import dev.millrace.testkit.GivenBack;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AttributeWriterTest {
  private static final long SEED = 0xA77;

  /** Of {@code Resource}. */
  private static final int ATTRIBUTES_FIELD = 1;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final ProtobufWriter out = new ProtobufWriter(chunks.pool());
  private final AttributeWriter writer = new AttributeWriter(out);

  /** What writes items one after the other, whose values often are those of the one before. */
  @Test
  void writesTheBytesThatProtobufWrites() {
    for (int seed = 0; seed < 300; seed++) {
      Generator generator = new Generator(new SplittableRandom(SEED + seed));
      for (int export = 0; export < 3; export++) {
        Resource.Builder expected = Resource.newBuilder();
        for (int item = 0; item < 60; item++) {
          Attributes attributes = generator.next();
          writer.write(ATTRIBUTES_FIELD, attributes);
          reference(attributes, expected);
        }
        assertThat(written())
            .as("seed %s, export %s", SEED + seed, export)
            .isEqualTo(expected.build().toByteArray());
        writer.forgetValues();
      }
    }
  }

  @Test
  void keepsAsManyKeysAsThereArePlacesHoweverManyCome() {
    Resource.Builder expected = Resource.newBuilder();
    for (int round = 0; round < 4; round++) {
      for (int i = 0; i < 4 * EncodedKeys.SLOTS; i++) {
        // Each often enough that its value is kept, among others that take its place.
        String key = "key." + i / 5;
        Attributes attributes = Attributes.builder().put(key, "value").put(key + "x", 7L).build();
        writer.write(ATTRIBUTES_FIELD, attributes);
        reference(attributes, expected);
      }
    }
    assertThat(written()).isEqualTo(expected.build().toByteArray());
  }

  @Test
  void letsGoOfValuesBetweenExports() {
    AttributeKey<String> key = AttributeKey.stringKey("key");
    WeakReference<String> value = writeOften(key, String.valueOf(new char[] {'v', 'a', 'l'}));
    Eventually.isTrue(
        "the value is let go of",
        Duration.ofSeconds(30),
        () -> {
          System.gc();
          return value.get() == null;
        });
    // The writer itself is still there.
    writer.write(ATTRIBUTES_FIELD, Attributes.of(key, "other"));
    assertThat(written()).isNotEmpty();
  }

  private WeakReference<String> writeOften(AttributeKey<String> key, String value) {
    for (int i = 0; i < 50; i++) {
      writer.write(ATTRIBUTES_FIELD, Attributes.of(key, value));
    }
    assertThat(written()).isNotEmpty();
    writer.forgetValues();
    return new WeakReference<>(value);
  }

  private byte[] written() {
    try (Payload payload = out.finish()) {
      return payload.toByteArray();
    }
  }

  private static void reference(Attributes attributes, Resource.Builder resource) {
    for (Map.Entry<AttributeKey<?>, Object> entry : attributes.asMap().entrySet()) {
      AnyValue.Builder value = AnyValue.newBuilder();
      if (entry.getValue() instanceof String text) {
        value.setStringValue(text);
      } else if (entry.getValue() instanceof Long number) {
        value.setIntValue(number);
      } else if (entry.getValue() instanceof Boolean flag) {
        value.setBoolValue(flag);
      } else {
        value.setDoubleValue((Double) entry.getValue());
      }
      resource.addAttributes(KeyValue.newBuilder().setKey(entry.getKey().getKey()).setValue(value));
    }
  }

  /** Attributes like those before, now and then with others, or in another order. */
  private static final class Generator {
    private final SplittableRandom random;
    private final List<AttributeKey<?>> keys = new ArrayList<>();
    private final Object[] last;

    Generator(SplittableRandom random) {
      this.random = random;
      for (int i = random.nextInt(1, 70); i > 0; i--) {
        String name = random.nextInt(8) == 0 ? text() + "." + i : "some.key." + i;
        keys.add(
            switch (random.nextInt(6)) {
              case 0 -> AttributeKey.longKey(name);
              case 1 -> AttributeKey.doubleKey(name);
              case 2 -> AttributeKey.booleanKey(name);
              default -> AttributeKey.stringKey(name);
            });
        if (random.nextInt(10) == 0) {
          // The same name in another type.
          keys.add(AttributeKey.longKey(name));
        }
      }
      last = new Object[keys.size()];
    }

    Attributes next() {
      AttributesBuilder attributes = Attributes.builder();
      for (int i = 0; i < last.length; i++) {
        if (random.nextInt(6) == 0) {
          continue;
        }
        if (last[i] == null || random.nextInt(1 + i % 8) == 0) {
          last[i] = value(keys.get(i));
        }
        put(keys.get(i), last[i], attributes);
      }
      return attributes.build();
    }

    @SuppressWarnings("unchecked") // Each value was made for its key.
    private void put(AttributeKey<?> key, Object value, AttributesBuilder attributes) {
      AttributeKey<?> used = key;
      if (random.nextInt(20) == 0 && value instanceof String) {
        used = AttributeKey.stringKey(String.valueOf(key.getKey().toCharArray()));
      }
      attributes.put((AttributeKey<Object>) used, value);
    }

    private Object value(AttributeKey<?> key) {
      return switch (key.getType()) {
        case LONG -> random.nextBoolean() ? random.nextLong() : random.nextLong(-3, 300);
        case DOUBLE -> random.nextDouble();
        case BOOLEAN -> random.nextBoolean();
        default -> text();
      };
    }

    private String text() {
      StringBuilder text = new StringBuilder();
      int chars =
          switch (random.nextInt(12)) {
            case 0 -> random.nextInt(2_000);
            case 1 -> random.nextInt(90, 140);
            case 2 -> 0;
            default -> random.nextInt(40);
          };
      int kinds = random.nextInt(5) > 0 ? 1 : 4;
      while (text.length() < chars) {
        switch (random.nextInt(kinds)) {
          case 0 -> text.append((char) random.nextInt(0x80));
          case 1 -> text.append((char) random.nextInt(0x80, 0x800));
          case 2 -> text.append((char) random.nextInt(0x800, 0xD800));
          default -> text.appendCodePoint(random.nextInt(0x10000, Character.MAX_CODE_POINT + 1));
        }
      }
      return text.toString();
    }
  }
}
