/** Instruments whose values many processes share through memory-mapped files of one directory. */
module dev.millrace.store {
  requires static org.jspecify;
  requires transitive dev.millrace.core;

  exports dev.millrace.store;
  exports dev.millrace.store.foreign;
  exports dev.millrace.store.tool;
}
