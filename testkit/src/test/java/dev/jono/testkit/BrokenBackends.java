package dev.jono.testkit;

import dev.jono.spi.Backend;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.Due;
import dev.jono.spi.EditResult;
import dev.jono.spi.ExtendRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.MoveIdleRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Receipt;
import dev.jono.spi.ReleaseRequest;
import dev.jono.spi.RemoveRequest;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.StoredMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/** Backends that each break one promise. */
final class BrokenBackends {
    private BrokenBackends() {}

    static Backend with(Backend backend, BiFunction<QueueStore, QueueSpec, QueueStore> store) {
        return new ForwardingBackend(backend) {
            @Override
            public QueueStore queue(QueueSpec spec) {
                return store.apply(super.queue(spec), spec);
            }
        };
    }

    private static String token() {
        return UUID.randomUUID().toString();
    }

    /** A correct backend, to show that wrapping it breaks nothing. */
    static Backend unbroken(Backend backend) {
        return with(backend, (store, spec) -> new ForwardingStore(store));
    }

    /** Forgets tries and due times of the messages that it moves. */
    static Backend movesAsNew(Backend backend) {
        return with(backend, (store, spec) -> new ForwardingStore(store) {
            @Override
            public CompletionStage<EditResult> moveIdle(MoveIdleRequest request) {
                return super.moveIdle(MoveIdleRequest.builder()
                        .ids(request.ids())
                        .toQueue(request.toQueue())
                        .dropHeaders(request.dropHeaders())
                        .token(request.token())
                        .build());
            }
        });
    }

    /** Loses the messages of a client when the client closes. */
    static Backend losesOnCrash(Backend backend) {
        Map<String, List<String>> inserted = new ConcurrentHashMap<>();
        return new ForwardingBackend(backend) {
            @Override
            public QueueStore queue(QueueSpec spec) {
                return new ForwardingStore(super.queue(spec)) {
                    @Override
                    public CompletionStage<InsertResult> insert(InsertRequest request) {
                        return super.insert(request).thenApply(result -> {
                            List<String> ids = inserted.computeIfAbsent(
                                    spec.name(), n -> Collections.synchronizedList(new ArrayList<>()));
                            result.items().forEach(item -> {
                                String id = item.id();
                                if (id != null) {
                                    ids.add(id);
                                }
                            });
                            return result;
                        });
                    }
                };
            }

            @Override
            public void close() {
                inserted.forEach((name, ids) -> delegate()
                        .queue(QueueSpec.builder().name(name).build())
                        .remove(RemoveRequest.builder()
                                .ids(List.copyOf(ids))
                                .token(token())
                                .build())
                        .toCompletableFuture()
                        .join());
                inserted.clear();
                super.close();
            }
        };
    }

    /** Lets messages be claimed again while they are reserved. */
    static Backend deliversTwice(Backend backend) {
        return with(backend, (store, spec) -> new ForwardingStore(store) {
            @Override
            public CompletionStage<ClaimResult> claim(ClaimRequest request) {
                return super.claim(request).thenCompose(result -> {
                    List<ReleaseRequest.Item> back = result.messages().stream()
                            .map(m -> ReleaseRequest.Item.of(Objects.requireNonNull(m.receipt()), null, false))
                            .toList();
                    return super.release(ReleaseRequest.builder()
                                    .items(back)
                                    .token(token())
                                    .build())
                            .thenApply(released -> result);
                });
            }
        });
    }

    /** Lets former holders settle a message for ever. */
    static Backend doesNotFence(Backend backend) {
        return with(backend, (store, spec) -> new ForwardingStore(store) {
            private Receipt current(Receipt stale) {
                return LATEST.getOrDefault(stale.id(), stale);
            }

            @Override
            public CompletionStage<ClaimResult> claim(ClaimRequest request) {
                return super.claim(request).thenApply(result -> {
                    result.messages().forEach(m -> LATEST.put(m.id(), Objects.requireNonNull(m.receipt())));
                    return result;
                });
            }

            @Override
            public CompletionStage<SettleResult> ack(SettleRequest request) {
                return super.ack(SettleRequest.builder()
                        .receipts(request.receipts().stream().map(this::current).toList())
                        .token(request.token())
                        .build());
            }

            @Override
            public CompletionStage<SettleResult> extend(ExtendRequest request) {
                return super.extend(ExtendRequest.builder()
                        .receipts(request.receipts().stream().map(this::current).toList())
                        .leaseMillis(request.leaseMillis())
                        .token(request.token())
                        .build());
            }
        });
    }

    private static final Map<String, Receipt> LATEST = new ConcurrentHashMap<>();

    /** Acknowledges messages with a delay without storing them. */
    static Backend forgetsDelayedMessages(Backend backend) {
        return with(backend, (store, spec) -> new ForwardingStore(store) {
            @Override
            public CompletionStage<InsertResult> insert(InsertRequest request) {
                boolean delayed = request.messages().stream()
                        .anyMatch(m -> !m.due().absolute() && m.due().millis() > 0);
                if (!delayed) {
                    return super.insert(request);
                }
                return CompletableFuture.completedFuture(InsertResult.builder()
                        .items(request.messages().stream()
                                .map(m -> InsertResult.Item.stored(token()))
                                .toList())
                        .storageMillis(1_767_225_600_000L)
                        .build());
            }
        });
    }

    /** Takes a message without tries for one that nobody has held. */
    static Backend forgetsUncountedDeliveries(Backend backend) {
        return with(backend, (store, spec) -> new ForwardingStore(store) {
            @Override
            public CompletionStage<ClaimResult> claim(ClaimRequest request) {
                return super.claim(request)
                        .thenApply(result -> ClaimResult.builder()
                                .messages(result.messages().stream()
                                        .map(BrokenBackends::asNew)
                                        .toList())
                                .nextMillis(result.nextMillis())
                                .storageMillis(result.storageMillis())
                                .build());
            }
        });
    }

    private static StoredMessage asNew(StoredMessage message) {
        return StoredMessage.builder()
                .id(message.id())
                .payload(message.payload())
                .headers(message.headers())
                .tries(message.tries())
                .leaseEndMillis(message.leaseEndMillis())
                .receipt(message.receipt())
                .firstDelivery(message.tries() == 0)
                .build();
    }

    /** Makes messages with a delay due at once. */
    static Backend isEarly(Backend backend) {
        return with(backend, (store, spec) -> new ForwardingStore(store) {
            @Override
            public CompletionStage<InsertResult> insert(InsertRequest request) {
                return super.insert(InsertRequest.builder()
                        .messages(request.messages().stream()
                                .map(m -> NewMessage.builder()
                                        .id(m.id())
                                        .payload(m.payload())
                                        .headers(m.headers())
                                        .tries(m.tries())
                                        .due(m.due().absolute() ? m.due() : Due.now())
                                        .build())
                                .toList())
                        .token(request.token())
                        .announce(request.announce())
                        .build());
            }
        });
    }

    /** Reports acks as done without executing them. */
    static Backend liesInItsAck(Backend backend) {
        return with(backend, (store, spec) -> new ForwardingStore(store) {
            @Override
            public CompletionStage<SettleResult> ack(SettleRequest request) {
                return CompletableFuture.completedFuture(SettleResult.builder()
                        .outcomes(Collections.nCopies(request.receipts().size(), SettleResult.Outcome.DONE))
                        .build());
            }
        });
    }

    /** Stores a repeated insert again. */
    static Backend forgetsTokens(Backend backend) {
        return with(backend, (store, spec) -> new ForwardingStore(store) {
            @Override
            public CompletionStage<InsertResult> insert(InsertRequest request) {
                return super.insert(InsertRequest.builder()
                        .messages(request.messages())
                        .token(token())
                        .announce(request.announce())
                        .build());
            }
        });
    }
}
