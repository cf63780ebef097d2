/** What carries encoded bytes to whoever wants them. Knows no metric format and no HTTP library. */
module dev.millrace.export {
  requires static org.jspecify;
  requires transitive dev.millrace.core;

  exports dev.millrace.export.scrape;
}
