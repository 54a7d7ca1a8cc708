package dev.jono.internal;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.StorageException;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.InsertResult;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Waiters and messages: while somebody waits no message is left lying, and each is handed to one of them. */
final class IntakeModelTest {
    private static final Terms TAKE = new Terms(0, Integer.MAX_VALUE, "dead", null);
    private static final long SOON_MILLIS = 500;

    @Test
    void nothingIsLostWhileAClaimIsUnderWay() {
        options(30, 300).check(Claims.class);
    }

    @Test
    void nothingIsLostAsTheQueueFallsAsleepAndIsPaused() {
        options(30, 300).check(Gates.class);
    }

    private static ModelCheckingOptions options(int iterations, int invocations) {
        return Fakes.options(iterations, invocations)
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(Shelf.class.getName())
                        .allMethods()
                        .treatAsAtomic());
    }

    /** When a take is done, and when its answer comes. */
    private enum Pace {
        AT_ONCE,
        DONE_NOW_ANSWERED_LATER,
        DONE_LATER
    }

    /** Inserts, pops of both kinds, and a storage that takes its time or fails. */
    public static final class Claims extends Model {
        /** A pop that does not wait. */
        @Operation
        public void look(@Param(gen = IntGen.class, conf = "0:2") int pace) {
            pop(pace, true);
        }

        /** Something comes in that is due soon. */
        @Operation
        public void insertForSoon() {
            intake.signalled(shelf.put(clock.wallMillis() + SOON_MILLIS));
        }

        /** The storage fails. */
        @Operation
        public void fail() {
            later.failure().run();
        }
    }

    /** Inserts, pops, the tick that ends the active state, and the paused flag. */
    public static final class Gates extends Model {
        /** The poll interval has passed. */
        @Operation
        public void tick() {
            intake.stayActive();
        }

        /** Pauses or resumes. */
        @Operation
        public void gate(@Param(gen = IntGen.class, conf = "0:1") int paused) {
            intake.gateSet(paused != 0);
        }
    }

    /** What both have in common. */
    abstract static class Model {
        final Fakes.Clock clock = new Fakes.Clock();
        final Fakes.Later later = new Fakes.Later();
        final Shelf shelf = new Shelf();
        final Intake intake;
        private final Queue<UserWaiter> waiters = new ConcurrentLinkedQueue<>();
        private volatile Pace pace = Pace.AT_ONCE;

        Model() {
            intake = Fakes.core(Fakes.context(clock, 2, Runnable::run), new Store(), new SlowFlags(), new Fakes.Mute())
                    .intake;
        }

        final void pop(int newPace, boolean looksOnce) {
            pace = Pace.values()[newPace];
            UserWaiter waiter = new UserWaiter(intake, TAKE, 1, looksOnce);
            waiters.add(waiter);
            waiter.start(clock, Fakes.QUEUE, Duration.ofHours(1).toNanos());
        }

        /** A pop that waits. */
        @Operation
        public void await(@Param(gen = IntGen.class, conf = "0:2") int newPace) {
            pop(newPace, false);
        }

        /** The oldest pop's caller gives up. */
        @Operation
        public void cancel() {
            UserWaiter oldest = waiters.peek();
            if (oldest != null) {
                oldest.cancel();
            }
        }

        /** Something comes in. */
        @Operation
        public void insert() {
            intake.signalled(shelf.put(clock.wallMillis()));
        }

        /** The storage, or the stats store, answers. */
        @Operation
        public void answer() {
            later.answer().run();
        }

        /** When all threads have ended. */
        @Validate
        public void check() {
            Fakes.settle(clock, later);
            if (intake.paused()) {
                intake.gate(false);
                Fakes.settle(clock, later);
            }
            // Wakes who waits for what is due soon, and comes before the net under lost signals.
            clock.advance(Duration.ofMillis(SOON_MILLIS));
            pace = Pace.AT_ONCE;
            Fakes.settle(clock, later);

            Fakes.expect(intake.awaitLanded(clock.nanos()), "no claim under way");
            List<String> given = new ArrayList<>();
            int waiting = 0;
            for (UserWaiter waiter : waiters) {
                if (!waiter.result.isDone()) {
                    waiting++;
                    Fakes.expect(!waiter.looksOnce(), "one that looks once does not wait");
                } else if (!waiter.result.isCompletedExceptionally()) {
                    waiter.result.join().forEach(delivered -> given.add(delivered.message.id()));
                }
            }
            List<String> left = shelf.ids();
            Fakes.expect(waiting == 0 || left.isEmpty(), "while " + waiting + " wait, nothing lies there: " + left);
            given.addAll(left);
            Fakes.expect(
                    given.size() == shelf.stored() && Set.copyOf(given).size() == given.size(),
                    "all of " + shelf.stored() + " given once or left: " + given);
        }

        private final class SlowFlags extends Fakes.Flags {
            @Override
            public CompletionStage<Set<String>> paused(Collection<String> queues) {
                if (pace == Pace.AT_ONCE) {
                    return CompletableFuture.completedFuture(Set.of());
                }
                CompletableFuture<Set<String>> answer = new CompletableFuture<>();
                later.add(() -> answer.complete(Set.of()), () -> answer.complete(Set.of()));
                return answer;
            }
        }

        private final class Store extends Fakes.NoStore {
            @Override
            public CompletionStage<ClaimResult> take(ClaimRequest request) {
                Pace mine = pace;
                if (mine == Pace.AT_ONCE) {
                    return CompletableFuture.completedFuture(shelf.take(request.max(), clock.wallMillis()));
                }
                CompletableFuture<ClaimResult> answer = new CompletableFuture<>();
                if (mine == Pace.DONE_NOW_ANSWERED_LATER) {
                    ClaimResult done = shelf.take(request.max(), clock.wallMillis());
                    later.add(() -> answer.complete(done), () -> answer.complete(done));
                } else {
                    later.add(
                            () -> answer.complete(shelf.take(request.max(), clock.wallMillis())),
                            () -> answer.completeExceptionally(
                                    new StorageException("refused", Fakes.QUEUE, null, null)));
                }
                return answer;
            }

            @Override
            public CompletionStage<InsertResult> restore(RestoreRequest request) {
                shelf.putBack(request.messages());
                return CompletableFuture.completedFuture(InsertResult.builder()
                        .items(request.messages().stream()
                                .map(message -> InsertResult.Item.stored(message.id()))
                                .toList())
                        .storageMillis(clock.wallMillis())
                        .build());
            }
        }
    }

    /** Where the messages lie. */
    private static final class Shelf {
        private final List<StoredMessage> messages = new ArrayList<>();
        private int stored;

        /** Stores one; returns its due time. */
        synchronized long put(long dueMillis) {
            messages.add(StoredMessage.builder()
                    .id("m" + stored++)
                    .payload(EncodedPayload.of(PayloadKind.BYTES, new byte[0]))
                    .dueMillis(dueMillis)
                    .build());
            return dueMillis;
        }

        synchronized void putBack(List<StoredMessage> taken) {
            messages.addAll(0, taken);
        }

        synchronized ClaimResult take(int max, long nowMillis) {
            List<StoredMessage> taken = new ArrayList<>();
            long next = Long.MAX_VALUE;
            for (StoredMessage message : List.copyOf(messages)) {
                if (message.dueMillis() > nowMillis || taken.size() == max) {
                    next = Math.min(next, Math.max(0, message.dueMillis() - nowMillis));
                } else {
                    taken.add(message);
                    messages.remove(message);
                }
            }
            return ClaimResult.builder()
                    .messages(taken)
                    .nextMillis(next)
                    .storageMillis(nowMillis)
                    .build();
        }

        synchronized List<String> ids() {
            return messages.stream().map(StoredMessage::id).toList();
        }

        synchronized int stored() {
            return stored;
        }
    }
}
