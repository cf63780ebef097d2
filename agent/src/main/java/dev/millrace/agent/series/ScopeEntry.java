package dev.millrace.agent.series;

import dev.millrace.model.Scope;
import org.jspecify.annotations.Nullable;

/** A scope of a {@link Target}. Guarded by the target's lock, as far as it changes. */
final class ScopeEntry implements Linked<ScopeEntry> {
  final Scope scope;
  private final byte[] name;
  private final byte[] version;
  private final byte[] schemaUrl;
  private final int hash;
  private @Nullable ScopeEntry next;

  /** How many metrics the scope has. */
  int metricCount;

  ScopeEntry(Scope scope, byte[] name, byte[] version, byte[] schemaUrl, int hash) {
    this.scope = scope;
    this.name = name;
    this.version = version;
    this.schemaUrl = schemaUrl;
    this.hash = hash;
  }

  boolean matches(
      ByteSlice otherName,
      ByteSlice otherVersion,
      ByteSlice otherSchemaUrl,
      AttributeSet attributes) {
    return otherName.contentEquals(name)
        && otherVersion.contentEquals(version)
        && otherSchemaUrl.contentEquals(schemaUrl)
        && attributes.matches(scope.attributes());
  }

  @Override
  public int linkHash() {
    return hash;
  }

  @Override
  public @Nullable ScopeEntry linkNext() {
    return next;
  }

  @Override
  public void setLinkNext(@Nullable ScopeEntry next) {
    this.next = next;
  }
}
