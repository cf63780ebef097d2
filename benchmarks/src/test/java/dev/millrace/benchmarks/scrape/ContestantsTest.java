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
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
    assertThat(samples(Contestants.MILLRACE_STORE, format)).isEqualTo(expected);
    // Micrometer puts observations into buckets by their whole part.
    Map<String, Double> micrometer = samples(Contestants.MICROMETER, format);
    assertThat(micrometer).containsOnlyKeys(expected.keySet());
    micrometer.keySet().removeIf(key -> key.contains("_bucket["));
    assertThat(expected).containsAllEntriesOf(micrometer);
  }

  @ParameterizedTest
  @EnumSource(ScrapeFormat.class)
  void writeTheSameAgain(ScrapeFormat format) throws IOException {
    for (String name : Contestants.ALL) {
      try (Contestant contestant =
          Contestants.create(name, workload, format, ScrapeCoding.IDENTITY)) {
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        ByteArrayOutputStream second = new ByteArrayOutputStream();
        contestant.scrape(first);
        contestant.scrape(second);
        assertThat(second.toString(StandardCharsets.UTF_8))
            .isEqualTo(first.toString(StandardCharsets.UTF_8));
        assertThat(SampleLineCounter.of(contestant, ScrapeCoding.IDENTITY))
            .as(name)
            .isEqualTo(workload.sampleLines());
        CountingOutputStream bytes = new CountingOutputStream();
        contestant.scrape(bytes);
        assertThat(bytes.takeCount()).isEqualTo(first.size());
        assertThat(bytes.takeCount()).isZero();
      }
    }
  }

  @Test
  void codeTheSame() throws IOException {
    for (String name : Contestants.ALL) {
      Contestants.checked(name, workload, ScrapeFormat.TEXT, ScrapeCoding.GZIP).close();
    }
  }

  @Test
  void renewATenth() throws IOException {
    for (String name : Contestants.ALL) {
      if (name.equals(Contestants.MILLRACE_STORE)) {
        continue;
      }
      try (Contestant contestant =
          Contestants.create(name, workload, ScrapeFormat.TEXT, ScrapeCoding.IDENTITY)) {
        Set<String> before = lines(contestant);
        contestant.renewTenth();
        Set<String> after = lines(contestant);
        contestant.renewTenth();
        assertThat(lines(contestant)).as(name).hasSameSizeAs(before).isNotEqualTo(after);
        assertThat(after).as(name).hasSameSizeAs(before);
        after.removeAll(before);
        assertThat(after).as(name).hasSize(SERIES / 10);
      }
    }
  }

  private static Set<String> lines(Contestant contestant) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    contestant.scrape(out);
    return out.toString(StandardCharsets.UTF_8).lines().collect(Collectors.toSet());
  }

  @Test
  void givesBackItsChunksAlsoWhenThePeerIsGone() {
    try (MillraceContestant contestant =
        new MillraceContestant(workload, ScrapeFormat.TEXT, ScrapeCoding.IDENTITY)) {
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
    assertThatThrownBy(
            () -> Contestants.create("nobody", workload, ScrapeFormat.TEXT, ScrapeCoding.IDENTITY))
        .hasMessageContaining("client_java")
        .hasMessageContaining("nobody");
  }

  /** Values by name and sorted labels, without the labels that say the scope. */
  private Map<String, Double> samples(String name, ScrapeFormat format) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (Contestant contestant =
        Contestants.create(name, workload, format, ScrapeCoding.IDENTITY)) {
      contestant.scrape(out);
    }
    Map<String, Double> samples = new HashMap<>();
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    for (String line : lines) {
      if (line.startsWith("#") || !SampleLineCounter.isOfTheWorkload(name(line))) {
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

  private static String name(String line) {
    return line.substring(0, line.indexOf('{') < 0 ? line.indexOf(' ') : line.indexOf('{'));
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
