package dev.millrace.agent.config;

/** What a receiver of one type is to do. Each implementation is an immutable record. */
public sealed interface ReceiverConfig
    permits OtlpReceiverConfig, MillraceStoreReceiverConfig, MultiprocessReceiverConfig {}
