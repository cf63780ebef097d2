package dev.millrace.store;

/** The instruments of a store without a directory. */
class MemoryStoreTest extends InstrumentContract {
  @Override
  MetricStore newStore(StoreOptions options) {
    return MetricStore.inMemory(options);
  }

  @Override
  String processLabel() {
    return "";
  }
}
