package dev.jono.backend.mongo;

import com.google.errorprone.annotations.concurrent.LazyInit;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.KeySettings;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how the calls of one queue object run: with keys or without. It knows from the last call what the storage
 * says. The storage refuses a message without a setting, and a call that finds nothing asks the storage again. So
 * queues without keys need no further command. Thread-safe.
 */
final class KeyRouter {
    private static final int ATTEMPTS = 10;

    private final QueueCollection plain;
    private final int maxPerKey;
    private final QueueCollections collections;
    private final boolean enabled;
    private final QueueParts withoutKeys;
    /** The parts of the keyed queue that was used last. */
    @LazyInit
    private volatile @Nullable Keyed keyed;

    private record Keyed(int maxPerKey, QueueParts parts) {}

    /**
     * Without calls.
     *
     * @param plain the queue with the layout of one that is not keyed
     * @param maxPerKey the setting of the queue object
     * @param enabled whether the backend has keyed queues
     */
    KeyRouter(QueueCollection plain, int maxPerKey, QueueCollections collections, boolean enabled) {
        this.plain = plain;
        this.maxPerKey = maxPerKey;
        this.collections = collections;
        this.enabled = enabled;
        this.withoutKeys = new QueueParts(plain, collections);
    }

    private QueueParts parts(int stored) {
        if (stored == 0) {
            return withoutKeys;
        }
        Keyed known = keyed;
        if (known == null || known.maxPerKey != stored) {
            known = new Keyed(stored, new QueueParts(plain.keyed(stored), collections));
            keyed = known;
        }
        return known.parts;
    }

    /** A call that stores messages. An empty queue becomes keyed if the queue object says so. */
    <R> R store(Function<QueueParts, R> call) {
        return run(call, result -> true, Use.STORE);
    }

    /**
     * As {@link #store}, for messages that are perhaps still there as history: the history of a keyed queue is another
     * one.
     */
    <R> R restore(Function<QueueParts, R> call) {
        if (plain.layout.holdsHistory()) {
            plain.keySetting().forget();
        }
        return store(call);
    }

    /** Makes a queue without messages keyed, if the queue object says so. */
    void makeKeyed() {
        if (enabled && maxPerKey > 0 && plain.keySetting().maxPerKey(plain) == 0) {
            new KeyedCreation(plain, maxPerKey).create();
        }
    }

    /**
     * A call that hands out messages: it must know of the keys. An empty queue becomes keyed if the queue object says
     * so.
     */
    ClaimResult handOut(Function<QueueParts, ClaimResult> call) {
        return run(call, result -> result.size() > 0, Use.HAND_OUT);
    }

    /**
     * A call that changes messages.
     *
     * @param foundAll whether the call has found all messages
     */
    <R> R change(Function<QueueParts, R> call, Predicate<R> foundAll) {
        return run(call, foundAll, Use.CHANGE);
    }

    /**
     * A call that changes nothing.
     *
     * @param foundAny whether the call has found messages
     */
    <R> R read(Function<QueueParts, R> call, Predicate<R> foundAny) {
        return run(call, foundAny, Use.READ);
    }

    /** A call that deletes the queue, however it was opened. */
    <R> R delete(Function<QueueParts, R> call) {
        plain.keySetting().forget();
        try {
            return run(call, result -> true, Use.READ);
        } finally {
            plain.keySetting().forget();
        }
    }

    /** The unique keys of the queue. */
    UniqueKeys uniqueKeys() {
        return new UniqueKeys(plain);
    }

    private enum Use {
        STORE,
        HAND_OUT,
        CHANGE,
        READ
    }

    private <R> R run(Function<QueueParts, R> call, Predicate<R> found, Use use) {
        if (!enabled) {
            return call.apply(withoutKeys);
        }
        for (int attempt = 1; ; attempt++) {
            int stored = stored(use);
            try {
                R result = call.apply(parts(stored));
                if (found.test(result) || attempt == ATTEMPTS || !changedFrom(stored, use)) {
                    return result;
                }
            } catch (KeySettingChangedException changed) {
                if (attempt == ATTEMPTS) {
                    throw KeySettings.differ(plain.queueName, maxPerKey, stored);
                }
            }
        }
    }

    private boolean changedFrom(int stored, Use use) {
        // A waiter asks an empty queue often.
        return plain.keySetting().changedFrom(stored, plain, use != Use.HAND_OUT);
    }

    /** The setting in the storage, after the checks that a use needs. */
    private int stored(Use use) {
        int stored = plain.keySetting().maxPerKey(plain);
        boolean creates = use == Use.STORE || use == Use.HAND_OUT;
        if (stored == 0 && maxPerKey > 0 && creates) {
            if (!new KeyedCreation(plain, maxPerKey).create()) {
                throw KeySettings.differ(plain.queueName, maxPerKey, 0);
            }
            stored = plain.keySetting().maxPerKey(plain);
        }
        boolean differs = stored != maxPerKey;
        boolean needsSame = use == Use.HAND_OUT || (use != Use.READ && maxPerKey > 0 && stored > 0);
        if (differs && needsSame) {
            plain.keySetting().forget();
            throw KeySettings.differ(plain.queueName, maxPerKey, stored);
        }
        return stored;
    }
}
