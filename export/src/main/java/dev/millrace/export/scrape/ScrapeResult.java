package dev.millrace.export.scrape;

import dev.millrace.format.prometheus.EscapingScheme;
import dev.millrace.format.prometheus.PrometheusFormat;

/**
 * What a scrape that went well came to.
 *
 * @param format the format written
 * @param escaping how names were written
 * @param coding the content coding of the reply
 * @param bodyBytes bytes of the reply's body on the wire; 0 where only headers were asked for
 */
public record ScrapeResult(
    PrometheusFormat format, EscapingScheme escaping, ContentCoding coding, long bodyBytes) {}
