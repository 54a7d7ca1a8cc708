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
 * What goes wrong between an engine and its storage, as a test orders it: replies that are lost or held back, calls that
 * are refused, capabilities that are not there. {@link #over} puts it in front of a backend. Thread-safe.
 */
public final class Faults {
    private final ConcurrentHashMap<Call, AtomicInteger> lost = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Call, Predicate<Object>> refused = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Call, Gate> held = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Call, List<Object>> seen = new ConcurrentHashMap<>();
    private volatile UnaryOperator<BackendTraits> traits = UnaryOperator.identity();

    /** The backend with these faults. */
    public Backend over(Backend backend) {
        return new FaultyBackend(backend, this);
    }

    /** The next calls of this kind are done by the storage, but their replies are lost. */
    public Faults loseReplies(Call call, int times) {
        lost.put(call, new AtomicInteger(times));
        return this;
    }

    /** Calls of this kind with such a request fail, and are certainly not done. */
    public Faults refuse(Call call, Predicate<Object> request) {
        refused.put(call, request);
        return this;
    }

    /** Ends {@link #refuse}. */
    public void accept(Call call) {
        refused.remove(call);
    }

    /** From now on, calls of this kind are done by the storage at once, but their replies are held back. */
    public Faults hold(Call call) {
        held.putIfAbsent(call, new Gate());
        return this;
    }

    /** How many replies of this kind are held back now. */
    public int held(Call call) {
        Gate gate = held.get(call);
        return gate == null ? 0 : gate.waiting.get();
    }

    /** Delivers the replies that were held back, and holds no more. */
    public void release(Call call) {
        Gate gate = held.remove(call);
        if (gate != null) {
            gate.open.complete(null);
        }
    }

    /** Delivers all replies that were held back. */
    public void releaseAll() {
        for (Call call : Call.values()) {
            release(call);
        }
    }

    /** The backend says that it cannot do this. */
    public Faults hide(Capability... capabilities) {
        return traits(t -> {
            EnumSet<Capability> left = EnumSet.noneOf(Capability.class);
            left.addAll(t.capabilities());
            left.removeAll(Set.of(capabilities));
            return copy(t).capabilities(left).build();
        });
    }

    /** The backend says this of itself. */
    public Faults traits(UnaryOperator<BackendTraits> change) {
        traits = change;
        return this;
    }

    /** A builder with the values of these traits. */
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
                .prefersAcksByClaim(t.prefersAcksByClaim());
    }

    /** How many calls of this kind came. */
    public int calls(Call call) {
        return requests(call).size();
    }

    /** The requests of this kind that came. */
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

    /** Where replies wait. */
    private static final class Gate {
        private final CompletableFuture<@Nullable Void> open = new CompletableFuture<>();
        private final AtomicInteger waiting = new AtomicInteger();
    }
}
