package dev.millrace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The Java in the documents for users compiles as it stands there. It is tested here because no
 * other module sees all of Millrace.
 */
class DocumentedCodeTest {
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** What a reader's editor adds. */
  private static final String IMPORTS =
      """
      import dev.millrace.export.server.*;
      import dev.millrace.store.*;
      import dev.millrace.opentelemetry.*;
      import dev.millrace.opentelemetry.otlp.*;
      import dev.millrace.opentelemetry.remotewrite.*;
      import io.opentelemetry.sdk.logs.export.*;
      import io.opentelemetry.sdk.metrics.*;
      import io.opentelemetry.sdk.metrics.export.*;
      import io.opentelemetry.sdk.trace.export.*;
      import java.net.*;
      import java.nio.file.*;
      """;

  @TempDir Path classes;

  private static final class Block extends SimpleJavaFileObject {
    private final String code;

    Block(String code) {
      super(URI.create("memory:/Example.java"), JavaFileObject.Kind.SOURCE);
      this.code = code;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return IMPORTS + "class Example {\n  void run() throws Exception {\n" + code + "  }\n}\n";
    }
  }

  @ParameterizedTest
  @CsvSource({"README.md, 3", "docs/opentelemetry.md, 2"})
  void compiles(String document, int leastBlocks) throws IOException {
    String text = Files.readString(Path.of("..").resolve(document));
    List<String> blocks = new ArrayList<>();
    for (Matcher block = BLOCK.matcher(text); block.find(); ) {
      blocks.add(block.group(1));
    }
    assertThat(blocks).hasSizeGreaterThanOrEqualTo(leastBlocks);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    for (String block : blocks) {
      StringWriter said = new StringWriter();
      boolean compiled =
          compiler
              .getTask(
                  said,
                  null,
                  null,
                  List.of(
                      "-d",
                      classes.toString(),
                      "-proc:none",
                      "-cp",
                      System.getProperty("java.class.path")),
                  null,
                  List.of(new Block(block)))
              .call();
      assertThat(compiled).as("%s:%n%s%n%s", document, block, said).isTrue();
    }
  }
}
