package dev.jono.internal.claim;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.StorageException;
import dev.jono.internal.fakes.FakePlugins;
import dev.jono.internal.fakes.Fakes;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.InsertResult;
import dev.jono.spi.RestoreRequest;
import dev.jono.spi.Signal;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiters and messages: while somebody waits no message is left lying, and each is handed to one of them. */
@Timeout(300)
public // The checker spins: it is slow on a busy machine.
@Tag("model") final class WaitingConsumersModelTest {
    private static final ClaimTerms TAKE = new ClaimTerms(0, Integer.MAX_VALUE, "dead", null, 1);
    private static final long SOON_MILLIS = 500;
    private static final List<Pace> PACES = List.of(Pace.AT_ONCE, Pace.DONE_NOW_ANSWERED_LATER, Pace.DONE_LATER);

    @Test
    void nothingIsLostWhileAClaimIsUnderWay() {
        Fakes.check(
                Claims.class,
                "| await:0 | insert",
                "await:1 | insert | answer",
                "await:1, answer, insert | answer | cancel",
                "insert, await:1 | answer | cancel",
                "insert | await:1, answer | look:1, answer",
                "await:2 | insert, answer | answer",
                "await:1 | insertForSoon | answer",
                "insert, look:2 | fail | await:1, answer",
                "await:1, await:1 | insert, answer | cancel, insert",
                "insert, insert, await:1, answer, await:1, await:1 | answer | cancel",
                "insert, insert, await:2, answer, await:2 | answer, fail | cancel");
    }

    @Test
    void nothingIsLostAsTheQueueFallsAsleepAndIsPaused() {
        Fakes.check(
                Gates.class,
                "await:1, cancel | tick | await:0, insert",
                "await:1, answer, cancel | tick | insert, await:1",
                "await:0 | pause, resume | insert",
                "insert | pause, resume | await:0",
                "pause, await:1 | resume | insert, answer");
    }

    /** When a take is done, and when its answer comes. */
    private enum Pace {
        /** Done and answered when it is called. */
        AT_ONCE,
        /** Done when it is called; the answer is on its way. */
        DONE_NOW_ANSWERED_LATER,
        /** On its way there. */
        DONE_LATER
    }

    /** Inserts, pops of both kinds, and a storage that takes its time or fails. */
    public static final class Claims extends Model {
        /** A pop that does not wait. */
        public void look(int newPace) {
            pop(newPace, true);
        }

        /** Something comes in that is due soon. */
        public void insertForSoon() {
            intake.messagesDue(shelf.put(clock.wallMillis() + SOON_MILLIS));
        }

        /** The storage fails. */
        public void fail() {
            later.failure().run();
        }
    }

    /** Inserts, pops, the tick that ends the active state, and the paused flag. */
    public static final class Gates extends Model {
        /** The poll interval has passed. */
        public void tick() {
            intake.stayActive();
        }

        /** Somebody pauses the queue. */
        public void pause() {
            setPaused(true);
        }

        /** Somebody resumes it. */
        public void resume() {
            setPaused(false);
        }
    }

    /** What both have in common. */
    public abstract static class Model {
        final Fakes.Clock clock = new Fakes.Clock();
        final Fakes.Later later = new Fakes.Later();
        final Shelf shelf = new Shelf();
        final WaitingConsumers intake;
        private final Queue<CallWaiter> waiters = new ConcurrentLinkedQueue<>();
        private final FakePlugins.Ear signaller = new FakePlugins.Ear();
        private final AtomicInteger underWay = new AtomicInteger();
        private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        private volatile Pace pace = Pace.AT_ONCE;
        private volatile boolean paused;

        Model() {
            intake = Fakes.core(Fakes.context(clock, 2, Runnable::run), new Store(), new SlowFlags(), signaller)
                    .consumers;
        }

        final void setPaused(boolean now) {
            paused = now;
            signaller.tell(now ? Signal.paused(Fakes.QUEUE) : Signal.resumed(Fakes.QUEUE));
        }

        final void pop(int newPace, boolean looksOnce) {
            pace = PACES.get(newPace);
            CallWaiter waiter = new CallWaiter(
                    "owner",
                    intake,
                    Fakes.QUEUE,
                    TAKE,
                    1,
                    looksOnce,
                    true,
                    Duration.ofHours(1).toNanos());
            waiters.add(waiter);
            waiter.start();
        }

        /** A pop that waits. */
        public void await(int newPace) {
            pop(newPace, false);
        }

        /** The oldest pop's caller gives up. */
        public void cancel() {
            CallWaiter oldest = waiters.peek();
            if (oldest != null) {
                oldest.cancel();
            }
        }

        /** Something comes in. */
        public void insert() {
            intake.messagesDue(shelf.put(clock.wallMillis()));
        }

        /** The storage, or the stats store, answers. */
        public void answer() {
            later.answer().run();
        }

        /** When all threads have ended. */
        @Validate
        public void check() {
            Fakes.unwatched(this::quiet);
        }

        private void quiet() {
            Fakes.settle(clock, later);
            if (paused) {
                // Only then: a resume wakes all, and would hide what was forgotten.
                setPaused(false);
                Fakes.settle(clock, later);
            }
            // Wakes who waits for what is due soon, and comes before the net under lost signals.
            clock.advance(Duration.ofMillis(SOON_MILLIS));
            pace = Pace.AT_ONCE;
            Fakes.settle(clock, later);

            Fakes.expect(wrong.isEmpty(), "one claim at a time");
            Fakes.expect(intake.claimLoop.awaitLanded(clock.nanos()), "no claim under way");
            List<String> given = new ArrayList<>();
            int waiting = 0;
            for (CallWaiter waiter : waiters) {
                if (!waiter.result.isDone()) {
                    waiting++;
                    Fakes.expect(!waiter.isOneShot(), "one that looks once does not wait");
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

        private final class SlowFlags extends FakePlugins.NoStats {
            @Override
            public CompletionStage<Set<String>> paused(Collection<String> queues) {
                Set<String> read = paused ? Set.of(Fakes.QUEUE) : Set.of();
                if (pace == Pace.AT_ONCE) {
                    return CompletableFuture.completedFuture(read);
                }
                CompletableFuture<Set<String>> answer = new CompletableFuture<>();
                later.add(() -> answer.complete(read), () -> answer.complete(read));
                return answer;
            }
        }

        private final class Store extends FakePlugins.NoStore {
            @Override
            public CompletionStage<ClaimResult> take(ClaimRequest request) {
                Pace mine = pace;
                if (underWay.incrementAndGet() > 1) {
                    wrong.add("two at a time");
                }
                if (mine == Pace.AT_ONCE) {
                    return CompletableFuture.completedFuture(taken(request));
                }
                CompletableFuture<ClaimResult> answer = new CompletableFuture<>();
                if (mine == Pace.DONE_NOW_ANSWERED_LATER) {
                    ClaimResult done = shelf.take(request.max(), clock.wallMillis());
                    Runnable tell = () -> {
                        underWay.decrementAndGet();
                        answer.complete(done);
                    };
                    later.add(tell, tell);
                } else {
                    later.add(() -> answer.complete(taken(request)), () -> {
                        underWay.decrementAndGet();
                        answer.completeExceptionally(new StorageException("refused", Fakes.QUEUE, null, null));
                    });
                }
                return answer;
            }

            private ClaimResult taken(ClaimRequest request) {
                ClaimResult taken = shelf.take(request.max(), clock.wallMillis());
                underWay.decrementAndGet();
                return taken;
            }

            @Override
            public CompletionStage<InsertResult> restore(RestoreRequest request) {
                InsertResult stored = InsertResult.builder()
                        .items(request.messages().stream()
                                .map(message -> InsertResult.Item.stored(message.id()))
                                .toList())
                        .storageMillis(clock.wallMillis())
                        .build();
                CompletableFuture<InsertResult> answer = new CompletableFuture<>();
                Runnable tell = () -> {
                    shelf.putBack(request.messages());
                    answer.complete(stored);
                };
                if (pace == Pace.AT_ONCE) {
                    tell.run();
                } else {
                    later.add(tell, tell);
                }
                return answer;
            }
        }
    }

    /** Where the messages lie. */
    public static final class Shelf {
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
