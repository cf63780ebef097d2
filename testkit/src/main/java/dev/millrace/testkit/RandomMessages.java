package dev.millrace.testkit;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.SplittableRandom;

/** Makes protobuf messages of any type at random: every field, every value, edges included. */
public final class RandomMessages {
  private static final long[] EDGES = {
    0,
    1,
    -1,
    127,
    128,
    16_383,
    16_384,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };
  private static final double[] DOUBLE_EDGES = {
    0.0,
    -0.0,
    1.0,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    Double.MAX_VALUE,
    0.1 + 0.2
  };
  private static final String[] TEXTS = {
    "", "a", "service.name", "Grüße", "日本", "😀", "line\nfeed \"quoted\" back\\slash", "\u0000"
  };

  private final SplittableRandom random;
  private final int maxRepeats;

  /**
   * A maker of messages.
   *
   * @param maxRepeats how many elements a repeated field has at most
   */
  public RandomMessages(SplittableRandom random, int maxRepeats) {
    this.random = random;
    this.maxRepeats = maxRepeats;
  }

  /**
   * Fills a builder.
   *
   * @param depth how deep messages nest at most
   */
  public void fill(Message.Builder builder, int depth) {
    Descriptor type = builder.getDescriptorForType();
    for (FieldDescriptor field : type.getFields()) {
      boolean message = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
      if ((message && depth == 0) || random.nextInt(4) == 0) {
        continue;
      }
      if (field.isRepeated()) {
        int count = random.nextInt(maxRepeats + 1);
        for (int i = 0; i < count; i++) {
          builder.addRepeatedField(field, value(builder, field, depth));
        }
      } else if (field.getRealContainingOneof() == null
          || builder.getOneofFieldDescriptor(field.getRealContainingOneof()) == null
          || random.nextInt(3) == 0) {
        builder.setField(field, value(builder, field, depth));
      }
    }
  }

  /** Text of any length up to some hundreds of bytes, mostly short. */
  public String text() {
    String text = TEXTS[random.nextInt(TEXTS.length)];
    return random.nextInt(8) == 0 ? text.repeat(random.nextInt(60)) : text;
  }

  private Object value(Message.Builder parent, FieldDescriptor field, int depth) {
    return switch (field.getJavaType()) {
      case INT -> (int) number();
      case LONG -> number();
      case FLOAT -> (float) floating();
      case DOUBLE -> floating();
      case BOOLEAN -> random.nextBoolean();
      case STRING -> text();
      case BYTE_STRING -> ByteString.copyFromUtf8(text());
      case ENUM ->
          field
              .getEnumType()
              .getValues()
              .get(random.nextInt(field.getEnumType().getValues().size()));
      case MESSAGE -> {
        Message.Builder child = parent.newBuilderForField(field);
        fill(child, depth - 1);
        yield child.build();
      }
    };
  }

  private long number() {
    return switch (random.nextInt(3)) {
      case 0 -> EDGES[random.nextInt(EDGES.length)];
      case 1 -> random.nextInt(300);
      default -> random.nextLong() >>> random.nextInt(64);
    };
  }

  private double floating() {
    return switch (random.nextInt(3)) {
      case 0 -> DOUBLE_EDGES[random.nextInt(DOUBLE_EDGES.length)];
      case 1 -> random.nextDouble() * 1_000;
      default -> Double.longBitsToDouble(random.nextLong());
    };
  }
}
