package dev.millrace.agent.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a whole file: its sections, and what must hold between them. */
final class AgentConfigReader {
  private static final String METRICS = "metrics";

  /**
   * For the kinds of component that the OpenTelemetry Collector has and this build has no type of.
   */
  private static final String NO_SUCH_KIND = "this build has none; remove the key";

  /** The signals that the OpenTelemetry Collector has and this build has not. */
  private static final Set<String> OTHER_SIGNALS = Set.of("traces", "logs", "profiles");

  private final Reading reading;

  private AgentConfigReader(Reading reading) {
    this.reading = reading;
  }

  static AgentConfig read(String yaml, Map<String, String> env, Problems problems)
      throws ConfigException {
    YamlNode root = YamlReader.read(yaml, problems);
    if (root == null || (root instanceof YamlNode.Scalar scalar && scalar.isNull())) {
      throw problems.fatal(
          Position.WHOLE_FILE,
          "the file is empty; expected the sections receivers, exporters and service");
    }
    Reading reading = new Reading(problems, env, new Listeners());
    return new AgentConfigReader(reading).read(root);
  }

  private AgentConfig read(YamlNode root) throws ConfigException {
    AgentConfig config = Section.read(reading, "", "the file", root.at(), root, this::readTop);
    reading.problems().throwIfAny();
    return config;
  }

  private AgentConfig readTop(Section top) {
    Components<ReceiverConfig> receivers = Components.read(ComponentKind.RECEIVER, top, reading);
    Components<ExporterConfig> exporters = Components.read(ComponentKind.EXPORTER, top, reading);
    top.refuseUnlessEmpty("processors", NO_SUCH_KIND);
    top.refuseUnlessEmpty("connectors", NO_SUCH_KIND);
    top.refuseUnlessEmpty("extensions", NO_SUCH_KIND);
    List<PipelineConfig> pipelines =
        top.section("service", service -> readService(service, top, receivers, exporters));
    Set<String> started = new HashSet<>(receivers.usedNames());
    started.addAll(exporters.usedNames());
    reading.listeners().check(started::contains, reading.problems());
    List<String> warnings = new ArrayList<>();
    receivers.warnOfUnused(warnings);
    exporters.warnOfUnused(warnings);
    return new AgentConfig(receivers.usedConfigs(), exporters.usedConfigs(), pipelines, warnings);
  }

  private List<PipelineConfig> readService(
      Section service,
      Section top,
      Components<ReceiverConfig> receivers,
      Components<ExporterConfig> exporters) {
    service.refuseUnlessEmpty("extensions", NO_SUCH_KIND);
    boolean misspelt = top.hasMisspelt("service") || service.hasMisspelt("pipelines");
    return service.section(
        "pipelines",
        section -> {
          boolean reported =
              misspelt || !top.isMapping() || !service.isMapping() || !section.isMapping();
          List<PipelineConfig> pipelines = new ArrayList<>();
          List<YamlNode.Entry> entries = section.takeAll();
          for (YamlNode.Entry entry : entries) {
            PipelineConfig pipeline = readPipeline(entry, receivers, exporters);
            if (pipeline != null) {
              pipelines.add(pipeline);
            }
          }
          if (entries.isEmpty() && !reported) {
            reading.problems().add(section.at(), noPipelines());
          }
          return pipelines;
        });
  }

  private @Nullable PipelineConfig readPipeline(
      YamlNode.Entry entry,
      Components<ReceiverConfig> receivers,
      Components<ExporterConfig> exporters) {
    Position at = entry.key().at();
    String shown = "pipeline " + Shown.quoted(entry.name());
    ComponentId id = ComponentId.parse(entry.name());
    if (id == null) {
      reading
          .problems()
          .add(
              at,
              "pipelines: expected metrics or metrics/name, found " + Shown.quoted(entry.name()));
      return null;
    }
    if (OTHER_SIGNALS.contains(id.type())) {
      reading.problems().add(at, shown + ": this build serves metrics only; remove the pipeline");
      return null;
    }
    if (!id.type().equals(METRICS)) {
      reading.problems().add(at, () -> Shown.unknown("pipeline type", id.type(), List.of(METRICS)));
      return null;
    }
    return Section.read(
        reading,
        "",
        entry.name(),
        at,
        entry.value(),
        section -> {
          section.refuseUnlessEmpty("processors", NO_SUCH_KIND);
          return new PipelineConfig(
              id, receivers.references(shown, section), exporters.references(shown, section));
        });
  }

  private static String noPipelines() {
    return "no pipeline is defined; expected one under service.pipelines, such as"
        + " metrics: {receivers: [otlp], exporters: [prometheus]}";
  }
}
