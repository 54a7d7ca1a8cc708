package dev.jono.support.mongo;

/**
 * When leases are extended before a command ends several of them. Such a command answers how many messages it has changed, not
 * which ones; the collection tells that afterwards, as long as the leases last, for until then only their holder can end them.
 */
public final class LeaseMargin {
    /** To what a lease that ends soon is extended. If this process dies in between, the messages return after that time. */
    public static final long EXTENDED_MILLIS = 10_000;

    /** More than a command and the look behind it usually take. */
    private static final long SOON_MILLIS = 2_000;

    private LeaseMargin() {}

    /** Whether a lease may have ended by the time that the answer of a command sent now is known. */
    public static boolean endsSoon(long endMillis, long nowMillis) {
        return endMillis < nowMillis + SOON_MILLIS;
    }
}
