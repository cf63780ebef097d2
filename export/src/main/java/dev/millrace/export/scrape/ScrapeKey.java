package dev.millrace.export.scrape;

import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;

/** What a reply's bytes depend on beside the source: scrapes with equal keys get the same bytes. */
record ScrapeKey(PrometheusFormat format, EscapingScheme escaping, ContentCoding coding) {}
