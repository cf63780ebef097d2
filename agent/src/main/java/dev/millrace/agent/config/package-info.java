/**
 * The agent's configuration: from a YAML file in the OpenTelemetry Collector's shape to immutable
 * records.
 *
 * <p>{@link dev.millrace.agent.config.AgentConfig} is the way in. What lives here reads text and
 * checks it: syntax, substitution of environment variables, component types and their keys, bounds,
 * references between sections. Every problem carries the line and column it is about.
 *
 * <p>What may not live here: anything that starts a component, opens a socket, resolves a host
 * name, logs, or knows how a receiver or an exporter does its work. Nothing outside this package
 * sees a YAML type.
 *
 * <p>To add a component type, write one record that implements {@link
 * dev.millrace.agent.config.ReceiverConfig} or {@link dev.millrace.agent.config.ExporterConfig} and
 * has a static {@code read(Section)}, which asks for each of its keys once with its default and
 * bounds; then name it in {@code ComponentKinds}. Unknown keys, the list of the expected ones and
 * the suggestion of the nearest follow from what was asked for.
 */
@NullMarked
package dev.millrace.agent.config;

import org.jspecify.annotations.NullMarked;
