package dev.jono.testkit;

import dev.jono.spi.Backend;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.Due;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RescheduleRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Backends that each break one promise about ordering keys. */
final class BrokenKeys {
    private BrokenKeys() {}

    /** A store that knows the messages that it has handed out. */
    private static class KnowingStore extends ForwardingStore {
        private static final Map<String, StoredMessage> HANDED_OUT = new ConcurrentHashMap<>();

        KnowingStore(QueueStore delegate) {
            super(delegate);
        }

        @Override
        public CompletionStage<ClaimResult> claim(ClaimRequest request) {
            return super.claim(request).thenApply(result -> {
                result.messages().forEach(message -> HANDED_OUT.put(message.id(), message));
                return result;
            });
        }

        static StoredMessage handedOut(Receipt receipt) {
            return Objects.requireNonNull(HANDED_OUT.get(receipt.id()));
        }
    }

    private static String token() {
        return UUID.randomUUID().toString();
    }

    /** Puts a retried message after the others of its key. */
    static Backend letsRetriesBeOvertaken(Backend backend) {
        return BrokenBackends.with(backend, (store, spec) -> new KnowingStore(store) {
            @Override
            public CompletionStage<SettleResult> release(ReleaseRequest request) {
                List<NewMessage> again = request.items().stream()
                        .map(item -> {
                            StoredMessage message = handedOut(item.receipt());
                            return NewMessage.builder()
                                    .payload(message.payload())
                                    .headers(message.headers())
                                    .tries(message.tries() + 1)
                                    .due(item.due() == null ? Due.now() : item.due())
                                    .build();
                        })
                        .toList();
                SettleRequest ack = SettleRequest.builder()
                        .receipts(request.items().stream()
                                .map(ReleaseRequest.Item::receipt)
                                .toList())
                        .token(request.token())
                        .build();
                return super.ack(ack)
                        .thenCompose(acked -> insert(InsertRequest.builder()
                                        .messages(again)
                                        .token(token())
                                        .build())
                                .thenApply(stored -> acked));
            }
        });
    }

    /** Lets a move create a queue that is not keyed. */
    static Backend createsTargetsWithoutKeys(Backend backend) {
        return BrokenBackends.with(backend, (store, spec) -> new ForwardingStore(store) {
            @Override
            public CompletionStage<Void> makeKeyed() {
                return CompletableFuture.completedFuture(null);
            }
        });
    }

    /** Does not hand out the next message of a key when one is acked. */
    static Backend forgetsToPromote(Backend backend) {
        return BrokenBackends.with(backend, (store, spec) -> new KnowingStore(store) {
            @Override
            public CompletionStage<SettleResult> ack(SettleRequest request) {
                List<String> keys = request.receipts().stream()
                        .map(receipt ->
                                Objects.requireNonNull(handedOut(receipt).key()))
                        .toList();
                return super.ack(request)
                        .thenCompose(acked -> browse(
                                        BrowseRequest.builder().limit(100).build())
                                .thenCompose(found -> reschedule(RescheduleRequest.builder()
                                        .ids(found.messages().stream()
                                                .filter(message -> keys.contains(message.key()))
                                                .map(StoredMessage::id)
                                                .toList())
                                        .due(Due.in(Duration.ofDays(365).toMillis()))
                                        .token(token())
                                        .build()))
                                .thenApply(hidden -> acked));
            }
        });
    }
}
