package dev.jono.support.mongo;

/**
 * Decides when leases must be extended before one command ends several reservations. Such a command answers how many
 * messages it changed, not which ones. A later query can find that out, but only while the leases last, because until
 * then no other consumer can claim the messages. Stateless.
 */
public final class LeaseMargin {
    /** The new length of a lease that ends soon. If this process dies, its messages are due again after that time. */
    public static final long EXTENDED_MILLIS = 10_000;

    /** More time than a command and the query after it usually take. */
    private static final long SOON_MILLIS = 2_000;

    private LeaseMargin() {}

    /** Whether a lease may end before the result of a command that is sent now is known. */
    public static boolean endsSoon(long endMillis, long nowMillis) {
        return endMillis < nowMillis + SOON_MILLIS;
    }
}
