package dev.jono.spi;

import java.time.Instant;

/** When a message may first be handed out: now or after a delay, both by the storage's clock, or at an instant. */
public final class Due {
    private static final Due NOW = new Due(0, false);

    private final long millis;
    private final boolean absolute;

    private Due(long millis, boolean absolute) {
        this.millis = millis;
        this.absolute = absolute;
    }

    /** At once, by the storage's clock. */
    public static Due now() {
        return NOW;
    }

    /** So many milliseconds from the storage's present. */
    public static Due in(long delayMillis) {
        return delayMillis <= 0 ? NOW : new Due(delayMillis, false);
    }

    /** At this instant, rounded up to the millisecond, so that nothing is handed out early. */
    public static Due at(Instant instant) {
        long floor = instant.toEpochMilli();
        return new Due(Instant.ofEpochMilli(floor).equals(instant) ? floor : floor + 1, true);
    }

    /** At this time, milliseconds since the epoch. */
    public static Due atMillis(long epochMillis) {
        return new Due(epochMillis, true);
    }

    /** Whether this is an instant, and not a delay. */
    public boolean absolute() {
        return absolute;
    }

    /** The delay, or milliseconds since the epoch where {@link #absolute()}. */
    public long millis() {
        return millis;
    }

    /** The due time, milliseconds since the epoch, where the storage's clock shows {@code storageMillis}. */
    public long resolve(long storageMillis) {
        return absolute ? millis : storageMillis + millis;
    }
}
