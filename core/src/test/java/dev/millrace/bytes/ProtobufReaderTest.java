package dev.millrace.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.millrace.testkit.AllocationMeter;
import dev.millrace.testkit.GivenBack;
import dev.millrace.testkit.RandomMessages;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtobufReaderTest {
  /** Down to this level, length-delimited fields of numbers 1 and 2 are messages. */
  private static final int MESSAGE_LEVELS = 3;

  @RegisterExtension
  final GivenBack<ChunkPool> chunks = GivenBack.to(new ChunkPool(64), ChunkPool::outstandingChunks);

  private final ProtobufReader reader = new ProtobufReader();
  private final ByteArray scratch = new ByteArray();

  @Test
  void readsWhatProtobufReads() throws Exception {
    for (int seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] content = randomRequest(random);
      List<String> expected = tokens(CodedInputStream.newInstance(content), 0);
      byte[] padded = new byte[content.length + 20];
      System.arraycopy(content, 0, padded, 7, content.length);
      reader.reset(padded, 7, content.length);
      assertThat(tokens(0)).as("seed %d, array", seed).isEqualTo(expected);
      for (int pieces : new int[] {2, 8, 40}) {
        int mostBytes = 1 + content.length / pieces;
        try (Payload payload = Pieces.cut(chunks.pool(), content, random, mostBytes)) {
          reader.reset(payload);
          assertThat(tokens(0)).as("seed %d, pieces of %d", seed, mostBytes).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void refusesWhatProtobufRefuses() throws Exception {
    int refused = 0;
    for (int seed = 0; seed < 1_500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] content = mutate(randomRequest(random), random);
      @Nullable List<String> expected = null;
      try {
        expected = tokens(CodedInputStream.newInstance(content), 0);
      } catch (InvalidProtocolBufferException e) {
        refused++;
      }
      reader.reset(content, 0, content.length);
      @Nullable List<String> actual = tokensOrNull();
      try (Payload payload = Pieces.cut(chunks.pool(), content, random, 1 + content.length / 30)) {
        reader.reset(payload);
        assertThat(tokensOrNull()).as("seed %d, pieces", seed).isEqualTo(actual);
      }
      if (actual != null || expected == null) {
        assertThat(actual).as("seed %d", seed).isEqualTo(expected);
      }
    }
    assertThat(refused).isBetween(150, 1_450);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // A tag alone, and a varint that ends too early.
        "08 | 1 | expected the rest of a varint, found the end of the message",
        "0880 | 2 | expected the rest of a varint, found the end of the message",
        // Eleven bytes of varint.
        "08ffffffffffffffffffff01 | 1 | expected a varint of at most ten bytes, found a longer one",
        // Field number 0, and one above the greatest.
        "00 | 0 | expected a field number from 1 to 536870911, found 0",
        "07 | 0 | expected a field number from 1 to 536870911, found 0",
        "f8ffffff7f | 0 | expected a field number from 1 to 536870911, found 4294967295",
        // Wire types that do not exist.
        "0e | 0 | expected a wire type from 0 to 5, found 6",
        "0f | 0 | expected a wire type from 0 to 5, found 7",
        // Lengths beyond the end, and negative ones.
        "0a0261 | 1 | expected a length of at most the 1 bytes that are left in the message, found 2",
        "0affffffffffffffffff01 | 1 | expected a length of at most the 0 bytes that are left in the message, found 18446744073709551615",
        // Fixed numbers cut short.
        "0901020304050607 | 1 | expected 8 bytes, found the end of the message after 7",
        "0d010203 | 1 | expected 4 bytes, found the end of the message after 3",
        // Groups that do not end, end another, or did not begin.
        "0b | 1 | expected the end of group 1, found the end of the message",
        "0b14 | 1 | expected the end of group 1, found that of group 2",
        "0c | 1 | expected a field, found the end of group 1, which did not begin",
      })
  void saysWhereAndWhatIsWrong(String hex, int position, String message) {
    byte[] content = HexFormat.of().parseHex(hex);
    for (int piece : new int[] {100, 1}) {
      try (Payload payload =
          Pieces.cut(chunks.pool(), content, new SplittableRandom(piece), piece)) {
        reader.reset(payload);
        assertThatExceptionOfType(MalformedProtobufException.class)
            .isThrownBy(this::skipAll)
            .withMessage(message)
            .satisfies(e -> assertThat(e.positionBytes()).isEqualTo(position))
            .satisfies(e -> assertThat(e.getStackTrace()).isEmpty());
      }
    }
  }

  @Test
  void skipsGroupsUpToTheBound() throws Exception {
    byte[] deepest = groups(ProtobufReader.MAX_GROUP_DEPTH);
    reader.reset(deepest, 0, deepest.length);
    skipAll();
    assertThat(reader.positionBytes()).isEqualTo(deepest.length);
    for (int depth : new int[] {ProtobufReader.MAX_GROUP_DEPTH + 1, 10_000, 1_000_000}) {
      byte[] deeper = groups(depth);
      reader.reset(deeper, 0, deeper.length);
      assertThatExceptionOfType(MalformedProtobufException.class)
          .isThrownBy(this::skipAll)
          .withMessage("expected groups at most 100 deep, found more");
    }
  }

  @Test
  void staysWithinTheMessageThatWasEntered() throws Exception {
    byte[] content = HexFormat.of().parseHex("0a020801" + "1003");
    reader.reset(content, 0, content.length);
    assertThat(reader.readTag()).isEqualTo(0x0a);
    int outer = reader.enter(reader.readLength());
    assertThat(reader.limitBytes()).isEqualTo(4);
    assertThat(reader.readTag()).isEqualTo(0x08);
    assertThat(reader.readVarint()).isEqualTo(1);
    assertThat(reader.readTag()).isEqualTo(ProtobufReader.END);
    reader.leave(outer);
    assertThat(reader.readTag()).isEqualTo(0x10);
    assertThat(reader.readVarint()).isEqualTo(3);
    assertThat(reader.readTag()).isEqualTo(ProtobufReader.END);
  }

  @Test
  void doesNotReadBeyondTheMessageThatWasEntered() throws Exception {
    byte[] content = HexFormat.of().parseHex("0a0108" + "01");
    reader.reset(content, 0, content.length);
    reader.readTag();
    reader.enter(reader.readLength());
    reader.readTag();
    assertThatExceptionOfType(MalformedProtobufException.class).isThrownBy(reader::readVarint);
  }

  @Test
  void goesBackAndForthAcrossChunks() throws Exception {
    byte[] content = new byte[500];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (i % 100);
    }
    SplittableRandom random = new SplittableRandom(5);
    try (Payload payload = Pieces.cut(chunks.pool(), content, random, 20)) {
      reader.reset(payload);
      for (int i = 0; i < 2_000; i++) {
        int position = random.nextInt(content.length + 1);
        reader.seek(position);
        assertThat(reader.positionBytes()).isEqualTo(position);
        if (position < content.length) {
          assertThat(reader.readVarint()).isEqualTo(position % 100);
        }
      }
    }
  }

  @Test
  void copiesASliceOnlyWhereItStraddlesChunks() throws Exception {
    byte[] content = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");
    for (int seed = 0; seed < 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      try (Payload payload = Pieces.cut(chunks.pool(), content, random, 6)) {
        int from = random.nextInt(content.length);
        int length = random.nextInt(content.length - from + 1);
        reader.reset(payload);
        reader.seek(from);
        reader.readSlice(length, scratch);
        assertThat(
                Arrays.copyOfRange(
                    reader.slice(), reader.sliceOffset(), reader.sliceOffset() + length))
            .as("seed %d", seed)
            .isEqualTo(Arrays.copyOfRange(content, from, from + length));
        assertThat(reader.positionBytes()).isEqualTo(from + length);
      }
    }
    reader.reset(content, 0, content.length);
    reader.seek(3);
    reader.readSlice(5, scratch);
    assertThat(reader.slice()).isSameAs(content);
    assertThat(reader.sliceOffset()).isEqualTo(3);
  }

  @Test
  void allocatesNothing() throws Exception {
    byte[] content = randomRequest(new SplittableRandom(11));
    try (Payload payload =
        Pieces.cut(chunks.pool(), content, new SplittableRandom(1), 10 + content.length / 10)) {
      long bytes =
          AllocationMeter.bytesPerOperation(
              200,
              100,
              () -> {
                reader.reset(payload);
                skipAll();
              });
      assertThat(bytes).isZero();
    }
  }

  private static byte[] randomRequest(SplittableRandom random) {
    ExportMetricsServiceRequest.Builder request = ExportMetricsServiceRequest.newBuilder();
    new RandomMessages(random, 3).fill(request, 8);
    return request.build().toByteArray();
  }

  private static byte[] mutate(byte[] content, SplittableRandom random) {
    byte[] mutated = content.clone();
    for (int i = random.nextInt(4); i >= 0 && mutated.length > 0; i--) {
      mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
    }
    return random.nextInt(3) == 0
        ? Arrays.copyOf(mutated, random.nextInt(mutated.length + 1))
        : mutated;
  }

  private static byte[] groups(int depth) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < depth; i++) {
      out.write(0x0b);
    }
    for (int i = 0; i < depth; i++) {
      out.write(0x0c);
    }
    return out.toByteArray();
  }

  private void skipAll() throws MalformedProtobufException {
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      reader.skip(tag);
    }
  }

  private @Nullable List<String> tokensOrNull() {
    try {
      return tokens(0);
    } catch (MalformedProtobufException e) {
      return null;
    }
  }

  /** Every field of a request; the messages at its first levels are entered. */
  private List<String> tokens(int depth) throws MalformedProtobufException {
    List<String> tokens = new ArrayList<>();
    for (int tag = reader.readTag(); tag != ProtobufReader.END; tag = reader.readTag()) {
      tokens.add("tag " + tag);
      switch (ProtobufReader.wireType(tag)) {
        case ProtobufReader.VARINT -> tokens.add("" + reader.readVarint());
        case ProtobufReader.FIXED64 -> tokens.add("" + reader.readFixed64());
        case ProtobufReader.FIXED32 -> tokens.add("" + reader.readFixed32());
        case ProtobufReader.LENGTH_DELIMITED -> {
          int length = reader.readLength();
          if (depth < MESSAGE_LEVELS && ProtobufReader.fieldNumber(tag) <= 2) {
            int outer = reader.enter(length);
            tokens.add("{");
            tokens.addAll(tokens(depth + 1));
            tokens.add("}");
            reader.leave(outer);
          } else {
            scratch.clear();
            reader.appendTo(scratch, length);
            tokens.add(HexFormat.of().formatHex(scratch.toByteArray()));
          }
        }
        default -> {
          reader.skip(tag);
          tokens.add("group");
        }
      }
    }
    return tokens;
  }

  private static List<String> tokens(CodedInputStream in, int depth) throws IOException {
    List<String> tokens = new ArrayList<>();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      tokens.add("tag " + tag);
      switch (WireFormat.getTagWireType(tag)) {
        case WireFormat.WIRETYPE_VARINT -> tokens.add("" + in.readRawVarint64());
        case WireFormat.WIRETYPE_FIXED64 -> tokens.add("" + in.readRawLittleEndian64());
        case WireFormat.WIRETYPE_FIXED32 -> tokens.add("" + in.readRawLittleEndian32());
        case WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
          int length = in.readRawVarint32();
          if (depth < MESSAGE_LEVELS && WireFormat.getTagFieldNumber(tag) <= 2) {
            int outer = in.pushLimit(length);
            tokens.add("{");
            tokens.addAll(tokens(in, depth + 1));
            tokens.add("}");
            in.popLimit(outer);
          } else {
            tokens.add(HexFormat.of().formatHex(in.readRawBytes(length)));
          }
        }
        default -> {
          if (!in.skipField(tag)) {
            throw new InvalidProtocolBufferException("end of a group that did not begin");
          }
          tokens.add("group");
        }
      }
    }
    return tokens;
  }
}
