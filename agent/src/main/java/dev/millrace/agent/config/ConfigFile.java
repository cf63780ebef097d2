package dev.millrace.agent.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads the text of a configuration file: UTF-8, at most {@value #MAX_BYTES} bytes. */
final class ConfigFile {
  /**
   * A hundred times the largest sensible file; a file past it is not a configuration but, say, a
   * log or /dev/zero.
   */
  static final int MAX_BYTES = 1 << 20;

  private ConfigFile() {}

  static String read(Path path, Problems problems) throws ConfigException {
    if (Files.isDirectory(path)) {
      throw whole(problems, "is a directory; give the path of a YAML file");
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(path)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    } catch (NoSuchFileException e) {
      throw whole(problems, "no such file; give the path of a YAML file");
    } catch (AccessDeniedException e) {
      throw whole(problems, "permission denied; let the user who runs the agent read the file");
    } catch (IOException e) {
      throw whole(problems, "cannot be read: " + Shown.clean(String.valueOf(e.getMessage())));
    }
    checkSize(bytes.length, problems);
    return decode(bytes, problems);
  }

  static void checkSize(int length, Problems problems) throws ConfigException {
    if (length > MAX_BYTES) {
      throw whole(
          problems,
          "expected a file of at most "
              + SizeSyntax.show(MAX_BYTES)
              + ", found a larger one; is it a configuration?");
    }
  }

  static String decode(byte[] bytes, Problems problems) throws ConfigException {
    if (bytes.length >= 2 && isUtf16Mark(bytes[0] & 0xFF, bytes[1] & 0xFF)) {
      throw whole(problems, "expected UTF-8, found UTF-16; save the file as UTF-8");
    }
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(in, out, true);
    String text = out.flip().toString();
    if (result.isError()) {
      throw problems.fatal(
          endOf(text),
          "expected UTF-8, found the byte 0x"
              + Shown.hex(bytes[in.position()] & 0xFF).substring(2)
              + ", which is not UTF-8 here; save the file as UTF-8");
    }
    return text;
  }

  private static boolean isUtf16Mark(int first, int second) {
    return (first == 0xFE && second == 0xFF) || (first == 0xFF && second == 0xFE);
  }

  private static Position endOf(String text) {
    int lineStart = text.lastIndexOf('\n') + 1;
    int line = 1 + (int) text.chars().filter(c -> c == '\n').count();
    return new Position(line, 1 + text.codePointCount(lineStart, text.length()));
  }

  private static ConfigException whole(Problems problems, String message) {
    return problems.fatal(Position.WHOLE_FILE, message);
  }
}
