package dev.millrace.benchmarks.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contestants do the same work: what they write differs in no sample of the workload. */
class ContestantsTest {
  private static final int SERIES = 1_500;
  private static final Pattern SAMPLE = Pattern.compile("(\\w+)\\{(.*)\\} (\\S+)( \\S+)?");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=(\"(?:[^\"\\\\]|\\\\.)*\"),?");

  private final ScrapeWorkload workload = new ScrapeWorkload(SERIES);

  @ParameterizedTest
  @EnumSource(ScrapeFormat.class)
  void writeTheSameSamples(ScrapeFormat format) throws IOException {
    Map<String, Double> expected = samples(Contestants.CLIENT_JAVA, format);
    assertThat(expected).hasSize((int) workload.sampleLines());
    assertThat(samples(Contestants.OTEL_EXPORTER, format)).isEqualTo(expected);
    assertThat(samples(Contestants.MILLRACE, format)).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource(ScrapeFormat.class)
  void writeTheSameAgain(ScrapeFormat format) throws IOException {
    for (String name : Contestants.ALL) {
      try (Contestant contestant = Contestants.create(name, workload, format)) {
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        ByteArrayOutputStream second = new ByteArrayOutputStream();
        contestant.scrape(first);
        contestant.scrape(second);
        assertThat(second.toString(StandardCharsets.UTF_8))
            .isEqualTo(first.toString(StandardCharsets.UTF_8));
        SampleLineCounter counter = new SampleLineCounter();
        contestant.scrape(counter);
        assertThat(counter.samples()).as(name).isEqualTo(workload.sampleLines());
        CountingOutputStream bytes = new CountingOutputStream();
        contestant.scrape(bytes);
        assertThat(bytes.takeCount()).isEqualTo(first.size());
        assertThat(bytes.takeCount()).isZero();
      }
    }
  }

  @Test
  void givesBackItsChunksAlsoWhenThePeerIsGone() {
    try (MillraceContestant contestant = new MillraceContestant(workload, ScrapeFormat.TEXT)) {
      contestant.scrape(OutputStream.nullOutputStream());
      assertThat(contestant.outstandingChunks()).isZero();
      OutputStream gone =
          new OutputStream() {
            @Override
            public void write(int value) throws IOException {
              throw new IOException("gone");
            }
          };
      assertThatThrownBy(() -> contestant.scrape(gone)).hasMessageContaining("gone");
      assertThat(contestant.outstandingChunks()).isZero();
      contestant.scrape(OutputStream.nullOutputStream());
    }
  }

  @Test
  void namesTheContestantsThatThereAre() {
    assertThatThrownBy(() -> Contestants.create("nobody", workload, ScrapeFormat.TEXT))
        .hasMessageContaining("client_java")
        .hasMessageContaining("nobody");
  }

  /** Values by name and sorted labels, without the labels that say the scope. */
  private Map<String, Double> samples(String name, ScrapeFormat format) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (Contestant contestant = Contestants.create(name, workload, format)) {
      contestant.scrape(out);
    }
    Map<String, Double> samples = new HashMap<>();
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    for (String line : lines) {
      if (line.startsWith("#") || line.startsWith("target_info")) {
        continue;
      }
      Matcher sample = SAMPLE.matcher(line);
      assertThat(sample.matches()).as(line).isTrue();
      TreeSet<String> labels = new TreeSet<>();
      for (Matcher label = LABEL.matcher(sample.group(2)); label.find(); ) {
        if (!label.group(1).startsWith("otel_scope_")) {
          labels.add(label.group(1) + '=' + canonical(label.group(1), label.group(2)));
        }
      }
      Double last = samples.put(sample.group(1) + labels, Double.valueOf(sample.group(3)));
      assertThat(last).as("twice: " + line).isNull();
    }
    return samples;
  }

  /** Bounds are compared as numbers: formats write them with and without ".0". */
  private static String canonical(String label, String value) {
    if (!label.equals("le")) {
      return value;
    }
    String number = value.substring(1, value.length() - 1);
    return number.equals("+Inf") ? number : String.valueOf(Double.parseDouble(number));
  }
}
