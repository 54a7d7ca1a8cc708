package dev.jono.jobs.internal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Rate;

/**
 * The permits of {@link JobType#rate}: a token bucket. The entry has its level and the time of that level, by the storage's clock. A
 * token that was taken and not used goes back. Thread-safe.
 */
final class RatePermits extends SharedPermits {
    static final String KIND = "rate";

    /** When the next job can start, if a runner waits for that; otherwise 0. */
    static final String NEXT = "next";

    private final Rate rate;
    private final double tokensPerMilli;

    RatePermits(JobsContext context, String type, Rate rate) {
        super(context, KIND, type);
        this.rate = rate;
        this.tokensPerMilli = (double) rate.starts() / rate.per().toMillis();
    }

    @Override
    boolean reusable() {
        return false;
    }

    @Override
    Exchange exchange(ObjectNode entry, long nowMillis, int held, int wanted, int returned) {
        double level = rate.burst();
        if (entry.has("level")) {
            long passed = Math.max(0, nowMillis - entry.path("at").asLong());
            level = Math.min(level, entry.path("level").asDouble() + returned + passed * tokensPerMilli);
        }
        int granted = Math.min(wanted, (int) level);
        level -= granted;
        entry.put("level", level);
        entry.put("at", nowMillis);
        boolean waits = granted == 0 && wanted > 0;
        long untilNext = (long) Math.ceil((1 - level) / tokensPerMilli);
        entry.put(NEXT, waits ? nowMillis + untilNext : 0);
        return new Exchange(entry, granted, waits ? untilNext : -1, untilNext);
    }
}
