package dev.millrace.export.scrape;

/**
 * What a scrape that went well came to.
 *
 * @param format the format written
 * @param coding the content coding of the reply
 * @param bodyBytes bytes of the reply's body on the wire; 0 where only headers were asked for
 */
public record ScrapeResult(ScrapeFormat format, ContentCoding coding, long bodyBytes) {}
