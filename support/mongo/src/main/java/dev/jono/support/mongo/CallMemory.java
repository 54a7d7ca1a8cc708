package dev.jono.support.mongo;

import dev.jono.spi.ClaimResult;
import dev.jono.spi.InsertResult;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.SettleResult;
import java.util.List;

/** What this process remembers of the last calls on one queue, through whichever of its objects they were made. Thread-safe. */
public abstract class CallMemory {
    /** Several may be under way. */
    public final RepeatableCalls<InsertResult> inserts = new RepeatableCalls<>(8);

    /** As {@link #inserts}. */
    public final RepeatableCalls<SettleResult> settles = new RepeatableCalls<>(8);

    /** As {@link #inserts}. */
    public final RepeatableCalls<RemoveResult> removals = new RepeatableCalls<>(8);

    /** One take or claim is under way at a time; its result holds payloads. */
    public final RepeatableCalls<ClaimResult> takes = new RepeatableCalls<>(1);

    /** As {@link #takes}. */
    public final RepeatableCalls<ClaimResult> claims = new RepeatableCalls<>(1);

    private final List<RepeatableCalls<?>> all = List.of(inserts, settles, removals, takes, claims);

    /** Nothing yet. */
    protected CallMemory() {}

    boolean unanswered() {
        return all.stream().anyMatch(RepeatableCalls::unanswered);
    }

    void forgetOld() {
        all.forEach(RepeatableCalls::forgetOld);
    }
}
