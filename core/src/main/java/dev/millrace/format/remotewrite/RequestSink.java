package dev.millrace.format.remotewrite;

import dev.millrace.bytes.Payload;

/** Takes the finished requests of a {@link RemoteWriteEncoder}. */
@FunctionalInterface
public interface RequestSink {
  /**
   * Takes one request. The samples of one series are always in requests of one shard, in the order
   * of time, so requests of one shard must be sent one after another.
   *
   * @param shard from 0 to the number of shards - 1
   * @param request compressed with snappy; owned by the sink from here on, also when it throws
   * @param content what the request holds
   */
  void accept(int shard, Payload request, RequestContent content);
}
