package dev.millrace.agent.series;

import dev.millrace.model.Labels;

/** Attributes that are {@link Labels} already. */
final class LabelsAttributeSet implements AttributeSet {
  private final Labels labels;
  private final int hash;

  LabelsAttributeSet(Labels labels, LabelHash labelHash) {
    this.labels = labels;
    this.hash = labelHash.ofLabels(labels);
  }

  @Override
  public int hash() {
    return hash;
  }

  @Override
  public boolean matches(Labels other) {
    return labels.equals(other);
  }

  @Override
  public int lengthBytes() {
    return labels.bytes().length;
  }

  @Override
  public Labels toLabels() {
    return labels;
  }
}
