package dev.millrace.model;

/**
 * The entity that produced the telemetry (OpenTelemetry specification, "Resource"). Immutable.
 *
 * @param attributes the resource attributes, may be empty
 * @param schemaUrl may be empty
 */
public record Resource(Labels attributes, String schemaUrl) {
  /** The resource without attributes. */
  public static final Resource EMPTY = new Resource(Labels.EMPTY, "");
}
