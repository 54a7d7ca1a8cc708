package dev.jono.backend.mongo;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.InsertResult;
import dev.jono.spi.RemoveResult;
import dev.jono.spi.SettleResult;
import dev.jono.support.mongo.RepeatableCalls;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** What this process remembers of the last calls on one queue, through whichever of its objects they were made. */
final class Memory {
    /** Several may be under way. */
    final RepeatableCalls<InsertResult> inserts = new RepeatableCalls<>(8);

    final RepeatableCalls<SettleResult> settles = new RepeatableCalls<>(8);
    final RepeatableCalls<RemoveResult> removals = new RepeatableCalls<>(8);
    /** One claim or take is under way at a time; and the result of a take holds payloads. */
    final RepeatableCalls<ClaimResult> takes = new RepeatableCalls<>(1);

    final RepeatableCalls<ClaimResult> claims = new RepeatableCalls<>(1);

    final ScanStart start;

    private Memory(LongSupplier nanos) {
        this.start = new ScanStart(nanos);
    }

    /** Those of the queues that were used last. Thread-safe. */
    static final class OfQueues {
        private static final int KEPT = 1000;

        private final ReentrantLock lock = new ReentrantLock();

        private final LongSupplier nanos;

        @GuardedBy("lock") private final Map<String, Memory> queues = new LinkedHashMap<>(16, 0.75f, true);

        OfQueues(LongSupplier nanos) {
            this.nanos = nanos;
        }

        Memory of(String queue) {
            lock.lock();
            try {
                Memory memory = queues.computeIfAbsent(queue, name -> new Memory(nanos));
                if (queues.size() > KEPT) {
                    queues.remove(queues.keySet().iterator().next());
                }
                return memory;
            } finally {
                lock.unlock();
            }
        }
    }
}
