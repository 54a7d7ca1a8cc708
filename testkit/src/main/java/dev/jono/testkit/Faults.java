package dev.jono.testkit;

import dev.jono.Capability;
import dev.jono.OutcomeUnknownException;
import dev.jono.StorageException;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendTraits;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Faults that a test injects between an engine and its storage: replies that are lost or held back, calls that are
 * refused, missing capabilities. {@link #over} wraps a backend. Thread-safe.
 */
public final class Faults {
    private final ConcurrentHashMap<Call, AtomicInteger> lost = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Call, Predicate<Object>> refused = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Call, Gate> held = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Call, List<Object>> seen = new ConcurrentHashMap<>();
    private volatile UnaryOperator<BackendTraits> traits = UnaryOperator.identity();

    /** Wraps a backend with these faults. */
    public Backend over(Backend backend) {
        return new FaultyBackend(backend, this);
    }

    /** Loses the replies of the next calls of this kind. The storage executes the calls. */
    public Faults loseReplies(Call call, int times) {
        lost.put(call, new AtomicInteger(times));
        return this;
    }

    /** Refuses calls of this kind with such a request. The storage does not execute them. */
    public Faults refuse(Call call, Predicate<Object> request) {
        refused.put(call, request);
        return this;
    }

    /** Ends {@link #refuse}. */
    public void accept(Call call) {
        refused.remove(call);
    }

    /** Holds back the replies of calls of this kind from now on. The storage executes the calls at once. */
    public Faults hold(Call call) {
        held.putIfAbsent(call, new Gate());
        return this;
    }

    /** The number of replies of this kind that are held back now. */
    public int held(Call call) {
        Gate gate = held.get(call);
        return gate == null ? 0 : gate.waiting.get();
    }

    /** Delivers the replies of this kind that were held back, and holds back no more. */
    public void release(Call call) {
        Gate gate = held.remove(call);
        if (gate != null) {
            gate.open.complete(null);
        }
    }

    /** Delivers all replies that were held back, of all kinds, and holds back no more. */
    public void releaseAll() {
        for (Call call : Call.values()) {
            release(call);
        }
    }

    /** Makes the backend not declare a capability. */
    public Faults hide(Capability... capabilities) {
        return traits(t -> {
            EnumSet<Capability> left = EnumSet.noneOf(Capability.class);
            left.addAll(t.capabilities());
            left.removeAll(Set.of(capabilities));
            return copy(t).capabilities(left).build();
        });
    }

    /** Changes the traits of the backend. */
    public Faults traits(UnaryOperator<BackendTraits> change) {
        traits = change;
        return this;
    }

    /** A builder that starts with the values of these traits. */
    public static BackendTraits.Builder copy(BackendTraits t) {
        return BackendTraits.builder()
                .capabilities(t.capabilities())
                .maxBatch(t.maxBatch())
                .preferredBatch(t.preferredBatch())
                .preferredTakeBatch(t.preferredTakeBatch())
                .maxAckBatch(t.maxAckBatch())
                .maxBatchBytes(t.maxBatchBytes())
                .maxPayloadBytes(t.maxPayloadBytes())
                .maxConcurrentInserts(t.maxConcurrentInserts())
                .maxConcurrentAcks(t.maxConcurrentAcks())
                .repeatable(t.repeatable())
                .tellsFirstDelivery(t.tellsFirstDelivery());
    }

    /** The number of calls of this kind so far. */
    public int calls(Call call) {
        return requests(call).size();
    }

    /** The requests of the calls of this kind so far. */
    public List<Object> requests(Call call) {
        return seen.getOrDefault(call, List.of());
    }

    BackendTraits applied(BackendTraits real) {
        return traits.apply(real);
    }

    <R> CompletionStage<R> pass(Call call, Object request, Supplier<CompletionStage<R>> storage) {
        seen.computeIfAbsent(call, c -> new CopyOnWriteArrayList<>()).add(request);
        Predicate<Object> refusal = refused.get(call);
        if (refusal != null && refusal.test(request)) {
            return CompletableFuture.failedFuture(new StorageException("the test refused " + call, null, null, null));
        }
        CompletionStage<R> reply = storage.get();
        AtomicInteger toLose = lost.get(call);
        if (toLose != null && toLose.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
            return reply.handle((result, failure) -> {
                throw new OutcomeUnknownException("the test lost the reply to " + call, null, null, null);
            });
        }
        Gate gate = held.get(call);
        if (gate == null) {
            return reply;
        }
        reply.whenComplete((result, failure) -> gate.waiting.incrementAndGet());
        return gate.open.thenCompose(open -> reply);
    }

    /** Holds replies back. */
    private static final class Gate {
        private final CompletableFuture<@Nullable Void> open = new CompletableFuture<>();
        private final AtomicInteger waiting = new AtomicInteger();
    }
}
