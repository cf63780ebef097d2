package dev.millrace.format.remotewrite;

/**
 * What one request holds. Immutable.
 *
 * @param samples how many samples with one number, stale markers among them; 0 or more
 * @param histograms how many native histograms, stale markers among them; 0 or more
 * @param exemplars how many exemplars; 0 or more
 * @param metadata how many families of which a 1.0 request has metadata; 0 in a 2.0 request, where
 *     each series has its own
 * @param newestUnixMillis the time of the newest sample or histogram; 0 where there is none
 */
public record RequestContent(
    int samples, int histograms, int exemplars, int metadata, long newestUnixMillis) {}
