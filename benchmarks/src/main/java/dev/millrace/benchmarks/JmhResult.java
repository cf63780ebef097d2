package dev.millrace.benchmarks;

import java.util.Map;

/**
 * One row of JMH's results, of a benchmark that counts what its operations cost.
 *
 * @param benchmark the benchmark's class and method
 * @param params the values of its parameters by name, in JMH's order
 * @param cpuNanos processor time of one operation, of the thread that did it
 * @param processCpuNanos processor time of the whole process for one operation
 * @param allocatedBytes what one operation allocated; less than zero where nobody knows
 * @param writtenBytes what one operation wrote
 * @param items how many spans, log records or points one operation wrote; 0 where nobody counts
 *     them
 * @param jvm name and version of the JVM that ran it
 */
record JmhResult(
    String benchmark,
    Map<String, String> params,
    double cpuNanos,
    double processCpuNanos,
    double allocatedBytes,
    double writtenBytes,
    double items,
    String jvm) {}
