package dev.millrace.agent.config;

import java.util.List;

/**
 * A pipeline: what every one of its receivers receives goes to every one of its exporters.
 * Immutable.
 *
 * @param id the pipeline's name; its type is the signal, {@code metrics}
 * @param receivers the receivers that feed it, one or more, each once, all in {@link
 *     AgentConfig#receivers()}
 * @param exporters the exporters that it feeds, one or more, each once, all in {@link
 *     AgentConfig#exporters()}
 */
public record PipelineConfig(
    ComponentId id, List<ComponentId> receivers, List<ComponentId> exporters) {
  /** Makes a pipeline; the lists are copied. */
  public PipelineConfig {
    receivers = List.copyOf(receivers);
    exporters = List.copyOf(exporters);
  }
}
