package dev.millrace.export.remotewrite;

import dev.millrace.export.push.SendResult;
import dev.millrace.format.remotewrite.RemoteWriteVersion;
import dev.millrace.format.remotewrite.RequestContent;
import org.jspecify.annotations.Nullable;

/** What is known of the receiver: which version to send, and what its answers mean. Thread-safe. */
final class Receiver {
  private static final int BAD_REQUEST = 400;
  private static final int UNSUPPORTED_MEDIA_TYPE = 415;
  private static final int TOO_MANY_REQUESTS = 429;

  private final VersionPolicy policy;
  private volatile RemoteWriteVersion version;
  private volatile boolean knowsVersion2;

  Receiver(VersionPolicy policy) {
    this.policy = policy;
    version = policy.first();
  }

  /** The version to send from now on. */
  RemoteWriteVersion version() {
    return version;
  }

  /**
   * Sends 1.0 from now on.
   *
   * @return whether that is new
   */
  synchronized boolean fallBack() {
    boolean news = version != RemoteWriteVersion.V1;
    version = RemoteWriteVersion.V1;
    return news;
  }

  /**
   * Judges an answer.
   *
   * @param sent the version that was sent
   * @param content what was sent
   */
  Verdict judge(RemoteWriteVersion sent, RequestContent content, SendResult result) {
    // A 1.0 receiver may count, too; but what it does not say means nothing there.
    Written written = sent == RemoteWriteVersion.V2 ? Written.of(result) : null;
    if (written != null) {
      knowsVersion2 = true;
    }
    if (lacksVersion2(sent, content, written, result)) {
      return policy == VersionPolicy.V2
          ? new Verdict(Verdict.Kind.REFUSED, null, DropReason.REJECTED)
          : Verdict.of(Verdict.Kind.FALL_BACK);
    }
    return switch (result.kind()) {
      case SUCCESS -> new Verdict(Verdict.Kind.DELIVERED, written, DropReason.NOT_WRITTEN);
      case RETRYABLE -> Verdict.of(Verdict.Kind.RETRY);
      case TOO_LARGE -> Verdict.of(Verdict.Kind.SPLIT);
      case FATAL ->
          new Verdict(
              Verdict.Kind.REFUSED,
              written,
              result.statusCode() == TOO_MANY_REQUESTS
                  ? DropReason.TOO_MANY_REQUESTS
                  : DropReason.REJECTED);
    };
  }

  private boolean lacksVersion2(
      RemoteWriteVersion sent,
      RequestContent content,
      @Nullable Written written,
      SendResult result) {
    if (sent != RemoteWriteVersion.V2 || written != null) {
      return false;
    }
    if (result.kind() == SendResult.Kind.SUCCESS) {
      return content.samples() + content.histograms() + content.exemplars() > 0;
    }
    // A receiver of 2.0 counts in this answer, too, so this one most likely could not read it
    // ("Unsupported Request Content"); one that has counted before has another reason.
    return result.statusCode() == UNSUPPORTED_MEDIA_TYPE
        || (result.statusCode() == BAD_REQUEST
            && !knowsVersion2
            && policy == VersionPolicy.V2_THEN_V1);
  }
}
