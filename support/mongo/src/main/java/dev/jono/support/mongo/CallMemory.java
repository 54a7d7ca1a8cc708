package dev.jono.support.mongo;

import dev.jono.spi.ClaimResult;
import dev.jono.spi.EditResult;
import dev.jono.spi.InsertResult;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.SettleResult;
import java.util.List;

/** The last calls of this process on one queue. All objects of the queue share it. Thread-safe. */
public abstract class CallMemory {
    /** Inserts and restores; several may be in flight. */
    public final RepeatableCalls<InsertResult> inserts = new RepeatableCalls<>(8);

    /** Acks, releases, extensions and moves; several may be in flight. */
    public final RepeatableCalls<SettleResult> settles = new RepeatableCalls<>(8);

    /** Removals by id; several may be in flight. */
    public final RepeatableCalls<RemoveResult> removals = new RepeatableCalls<>(8);

    /** Changes of messages that no consumer holds, by id; several may be in flight. */
    public final RepeatableCalls<EditResult> edits = new RepeatableCalls<>(8);

    /** Takes. One is in flight at a time, and its result holds payloads. */
    public final RepeatableCalls<ClaimResult> takes = new RepeatableCalls<>(1);

    /** Claims, as {@link #takes}. */
    public final RepeatableCalls<ClaimResult> claims = new RepeatableCalls<>(1);

    private final List<RepeatableCalls<?>> all = List.of(inserts, settles, removals, edits, takes, claims);

    /** Without calls. */
    protected CallMemory() {}

    boolean unanswered() {
        return all.stream().anyMatch(RepeatableCalls::unanswered);
    }

    void forgetOld() {
        all.forEach(RepeatableCalls::forgetOld);
    }
}
