package dev.millrace.model;

/**
 * The instrumentation scope of a metric (OpenTelemetry specification, "Instrumentation Scope").
 * Immutable.
 *
 * @param name may be empty
 * @param version may be empty
 * @param schemaUrl may be empty
 * @param attributes may be empty
 */
public record Scope(String name, String version, String schemaUrl, Labels attributes) {
  /** The scope without a name. */
  public static final Scope EMPTY = new Scope("", "", "", Labels.EMPTY);
}
