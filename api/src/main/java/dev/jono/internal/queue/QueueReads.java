package dev.jono.internal.queue;

import dev.jono.BrowsedMessage;
import dev.jono.Capability;
import dev.jono.QueueCounts;
import dev.jono.internal.concurrent.Completions;
import dev.jono.internal.core.PayloadCoder;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.core.QueueHandle;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.StoredMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads a queue without taking messages. Each call blocks its caller, a thread of the application. */
final class QueueReads<T> {
    private final QueueHandle handle;
    private final QueueCore core;
    private final PayloadCoder<T> coder;

    QueueReads(QueueHandle handle, PayloadCoder<T> coder) {
        this.handle = handle;
        this.core = handle.core;
        this.coder = coder;
    }

    /** Sends a call that changes nothing. */
    <R> R call(String step, Supplier<CompletionStage<R>> send) {
        core.context.requireOpen(core.name);
        return handle.read(step, send(core.context, List.of(core.name), step, send));
    }

    /** Sends a call that reads some queues. Listeners hear of it once for each of them. */
    static <R> CompletableFuture<R> send(
            EngineContext context, List<String> queues, String step, Supplier<CompletionStage<R>> send) {
        CompletableFuture<R> answer = Completions.start(send);
        if (!context.listeners.isEmpty()) {
            long sentNanos = context.clock.nanos();
            answer.whenComplete((result, failure) -> {
                long nanos = context.clock.nanos() - sentNanos;
                queues.forEach(queue -> context.listeners.storageCall(queue, step, 0, nanos, failure));
            });
        }
        return answer;
    }

    static QueueCounts counts(CountsResult counts) {
        QueueCounts numbers = QueueCounts.of(counts.ready(), counts.scheduled(), counts.reserved(), counts.blocked());
        return oldestReadyAge(counts).map(numbers::withOldestReadyAge).orElse(numbers);
    }

    private static Optional<Duration> oldestReadyAge(CountsResult counts) {
        return counts.oldestReadyMillis().isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.ofMillis(Math.max(
                        0, counts.storageMillis() - counts.oldestReadyMillis().getAsLong())));
    }

    private CountsResult counts(boolean history) {
        return call(
                "counts",
                () -> core.store.counts(CountsRequest.builder().history(history).build()));
    }

    QueueCounts counts() {
        return counts(counts(false));
    }

    Optional<Instant> nextMaturity() {
        CountsResult counts = counts(false);
        if (counts.oldestReadyMillis().isPresent()) {
            return Optional.of(Instant.ofEpochMilli(counts.oldestReadyMillis().getAsLong()));
        }
        return counts.nextMillis() == ClaimResult.NONE
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(counts.storageMillis() + counts.nextMillis()));
    }

    Optional<Duration> oldestReadyAge() {
        return oldestReadyAge(counts(false));
    }

    List<BrowsedMessage<T>> browse(@Nullable String after, int limit) {
        return browse(BrowseRequest.builder().after(after).limit(limit));
    }

    /** The message of an id; empty if it is not in the queue. */
    List<BrowsedMessage<T>> browse(String id) {
        return browse(BrowseRequest.builder().ids(List.of(id)).limit(1));
    }

    List<BrowsedMessage<T>> history(int limit) {
        core.context.require(Capability.HISTORY, "history", core.name);
        return browse(BrowseRequest.builder().view(BrowseRequest.View.HISTORY).limit(limit));
    }

    private List<BrowsedMessage<T>> browse(BrowseRequest.Builder request) {
        core.context.require(Capability.BROWSE, "browse", core.name);
        List<BrowsedMessage<T>> shown = new ArrayList<>();
        for (StoredMessage message :
                call("browse", () -> core.store.browse(request.build())).messages()) {
            shown.add(new MessageImpl<>(core.name, message, null, () -> coder.decode(message)));
        }
        return shown;
    }

    long historySize() {
        core.context.require(Capability.HISTORY, "historySize", core.name);
        return counts(true).history();
    }
}
