package dev.millrace.agent.series;

/**
 * What a {@link SeriesTable} makes of the points that it is given. Immutable.
 *
 * <pre>{@code
 * PointPolicy sent = PointPolicy.LATEST.withEveryPoint(true);
 * assert sent.everyPoint() && !PointPolicy.LATEST.everyPoint();
 * }</pre>
 *
 * @param resourcesApart whether resources that differ in any attribute are targets of their own, as
 *     they have to be where points carry the attributes of their resource; else those that come to
 *     the same {@code job} and {@code instance} are one target, whose resource is the newest one
 * @param everyPoint whether each point is shown once, by the table's {@link UnreadPoints}, however
 *     soon the next one of its series comes; else a series has its latest value only
 * @param refusesDelta whether delta points are refused; else they are accumulated
 */
public record PointPolicy(boolean resourcesApart, boolean everyPoint, boolean refusesDelta) {
  /**
   * What a scrape needs: latest values, delta accumulated, one target for each job and instance.
   */
  public static final PointPolicy LATEST = new PointPolicy(false, false, false);

  /** The same with another {@link #resourcesApart}. */
  public PointPolicy withResourcesApart(boolean resourcesApart) {
    return new PointPolicy(resourcesApart, everyPoint, refusesDelta);
  }

  /** The same with another {@link #everyPoint}. */
  public PointPolicy withEveryPoint(boolean everyPoint) {
    return new PointPolicy(resourcesApart, everyPoint, refusesDelta);
  }

  /** The same with another {@link #refusesDelta}. */
  public PointPolicy withRefusesDelta(boolean refusesDelta) {
    return new PointPolicy(resourcesApart, everyPoint, refusesDelta);
  }
}
