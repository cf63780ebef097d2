package dev.millrace.format.otlp;

import dev.millrace.bytes.ProtobufReader;

/**
 * The fields that hold the attributes of metric points, which have other numbers in other messages.
 * Each is also the key under which a series keeps its attributes for that field; their bytes depend
 * on nothing else, so all encoders share them.
 */
enum AttributesField {
  /** Of {@code NumberDataPoint} and {@code SummaryDataPoint}. */
  NUMBER(7),
  /** Of {@code HistogramDataPoint}. */
  HISTOGRAM(9),
  /** Of {@code ExponentialHistogramDataPoint}. */
  EXPONENTIAL_HISTOGRAM(1);

  /** The field's tag, which is one byte. */
  final int tag;

  AttributesField(int number) {
    tag = number << 3 | ProtobufReader.LENGTH_DELIMITED;
  }
}
