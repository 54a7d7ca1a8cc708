package dev.jono.internal.core;

import dev.jono.Backoff;
import dev.jono.DeadLetter;
import dev.jono.Durations;
import dev.jono.QueueOptions;
import dev.jono.internal.batch.Lane;
import dev.jono.internal.claim.ClaimTerms;
import dev.jono.internal.log.FailureText;
import dev.jono.internal.log.Log;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The options of a queue with all defaults filled in. The defaults are defined here only. Immutable. */
public record QueueSettings(
        Duration lease,
        Duration pollInterval,
        Duration operationTimeout,
        Duration history,
        DeadLetter deadLetter,
        Backoff backoff,
        boolean ordered,
        int maxPerKey,
        int maxPayloadBytes,
        Lane.Bounds bounds,
        @Nullable String consumer,
        @Nullable String signaller,
        @Nullable String stats,
        @Nullable String pipeline) {

    private static final Log LOG = Log.named("dev.jono");

    public static QueueSettings of(QueueOptions options) {
        Duration timeout = or(options.operationTimeout(), Duration.ofSeconds(10));
        return new QueueSettings(
                or(options.lease(), Duration.ofSeconds(30)),
                or(options.pollInterval(), Duration.ofSeconds(15)),
                timeout,
                or(options.history(), Duration.ZERO),
                or(options.deadLetter(), DeadLetter.after(25)),
                or(options.backoff(), Backoff.standard()),
                or(options.ordered(), true),
                or(options.keyed(), 0),
                or(options.maxPayloadBytes(), 1 << 20),
                new Lane.Bounds(
                        or(options.maxPendingMessages(), 65_536), or(options.maxPendingBytes(), 64L << 20), timeout),
                options.consumer(),
                options.signaller(),
                options.stats(),
                options.pipeline());
    }

    /**
     * The delay before a retry.
     *
     * @param attempt the number of the delivery that failed; the first is 1
     */
    public Duration retryDelay(int attempt) {
        return retryDelay(backoff, attempt);
    }

    /** The delay that a backoff gives. If the backoff fails, the standard one replaces it. */
    public static Duration retryDelay(Backoff backoff, int attempt) {
        try {
            return Durations.check(backoff.delay(attempt), "the backoff");
        } catch (Throwable broken) {
            LOG.warn(
                    "the backoff of a queue or pipeline failed at attempt {}, the standard one is used: {}",
                    attempt,
                    FailureText.of(broken));
            return Backoff.standard().delay(attempt);
        }
    }

    private static <V> V or(@Nullable V value, V byDefault) {
        return value == null ? byDefault : value;
    }

    /**
     * The terms of claims with a lease of this length.
     *
     * @param together how many messages the waiter handles as one batch, in their order. Where several messages of a key may
     *     be held at one time, each has a slot of its own, and none takes the later ones back
     */
    public ClaimTerms claimTerms(Duration leaseOfClaim, int together) {
        return terms(leaseOfClaim.toMillis(), maxPerKey == 1 ? together : 1);
    }

    /** The terms of takes. */
    public ClaimTerms takeTerms() {
        return terms(0, 1);
    }

    private ClaimTerms terms(long leaseMillis, int together) {
        return new ClaimTerms(leaseMillis, deadLetter.maxDeliveries(), deadLetter.queue(), consumer, together);
    }
}
