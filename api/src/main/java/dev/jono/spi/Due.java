package dev.jono.spi;

import java.time.Instant;

/**
 * When a message may first be handed out: now or after a delay, both by the storage's clock, or at an instant. Immutable.
 */
public final class Due {
    private static final Due NOW = new Due(0, false);

    private final long millis;
    private final boolean absolute;

    private Due(long millis, boolean absolute) {
        this.millis = millis;
        this.absolute = absolute;
    }

    /** Returns the present time of the storage's clock. */
    public static Due now() {
        return NOW;
    }

    /** Returns a time this many milliseconds after the present time of the storage's clock; {@link #now()} for 0 or less. */
    public static Due in(long delayMillis) {
        return delayMillis <= 0 ? NOW : new Due(delayMillis, false);
    }

    /** Returns an instant, rounded up to the millisecond so that no message is handed out early. */
    public static Due at(Instant instant) {
        long floor = instant.toEpochMilli();
        return new Due(Instant.ofEpochMilli(floor).equals(instant) ? floor : floor + 1, true);
    }

    /**
     * Returns an instant.
     *
     * @param epochMillis in milliseconds since the epoch
     */
    public static Due atMillis(long epochMillis) {
        return new Due(epochMillis, true);
    }

    /** Whether this is an instant, and not a delay. */
    public boolean absolute() {
        return absolute;
    }

    /** The delay in milliseconds, 0 or more; if {@link #absolute()}, the instant in milliseconds since the epoch. */
    public long millis() {
        return millis;
    }

    /**
     * Returns the due time, in milliseconds since the epoch.
     *
     * @param storageMillis the present time of the storage's clock, in milliseconds since the epoch
     */
    public long resolve(long storageMillis) {
        return absolute ? millis : storageMillis + millis;
    }
}
