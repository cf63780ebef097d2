package dev.millrace.agent.config;

/** What an exporter of one type is to do. Each implementation is an immutable record. */
public sealed interface ExporterConfig
    permits PrometheusExporterConfig, RemoteWriteExporterConfig {}
