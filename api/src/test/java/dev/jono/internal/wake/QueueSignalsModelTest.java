package dev.jono.internal.wake;

import dev.jono.internal.fakes.FakePlugins;
import dev.jono.internal.fakes.Fakes;
import dev.jono.spi.Signal;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Coalesced signals: one at a time, and after every insert one goes out that is early enough for it. */
@Timeout(300) // The checker spins: it is slow on a busy machine.
@Tag("model")
final class QueueSignalsModelTest {
    @Test
    void noInsertGoesUnsignalled() {
        Fakes.check(
                Model.class,
                "inserted:2 | inserted:2 | inserted:1",
                "inserted:2 | inserted:4 | sent",
                "| inserted:2, sent | inserted:2",
                "inserted:4 | inserted:2, inserted:3 | sent");
    }

    /** Inserts, and a signaller that is quick with odd due times and slow with even ones. */
    public static final class Model {
        private final Fakes.Clock clock = new Fakes.Clock();
        private final Fakes.Later later = new Fakes.Later();
        private final List<Long> published = new CopyOnWriteArrayList<>();
        private final AtomicInteger underWay = new AtomicInteger();
        private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
        private final Queue<Insert> inserts = new ConcurrentLinkedQueue<>();
        private final QueueSignals signals;

        private record Insert(long due, int publishedBefore) {}

        /** As the checker makes it. */
        public Model() {
            signals = Fakes.core(
                            Fakes.context(clock, 10, Runnable::run),
                            new FakePlugins.NoStore(),
                            new FakePlugins.NoStats(),
                            new Slow())
                    .signals;
        }

        private final class Slow extends FakePlugins.Ear {
            @Override
            public CompletionStage<Void> publish(Signal signal) {
                if (underWay.incrementAndGet() > 1) {
                    wrong.add("two at a time");
                }
                published.add(signal.dueMillis());
                if (signal.dueMillis() % 2 != 0) {
                    underWay.decrementAndGet();
                    return CompletableFuture.completedFuture(null);
                }
                CompletableFuture<Void> sent = new CompletableFuture<>();
                later.add(
                        () -> {
                            underWay.decrementAndGet();
                            sent.complete(null);
                        },
                        () -> {
                            underWay.decrementAndGet();
                            sent.completeExceptionally(new IllegalStateException("lost"));
                        });
                return sent;
            }
        }

        /** Something came in. */
        public void inserted(int due) {
            inserts.add(new Insert(due, published.size()));
            signals.inserted(due);
        }

        /** The slow signaller has sent one. */
        public void sent() {
            later.answer().run();
        }

        /** When all threads have ended. */
        @Validate
        public void check() {
            Fakes.unwatched(this::quiet);
        }

        private void quiet() {
            Fakes.settle(clock, later);
            Fakes.expect(wrong.isEmpty(), "one publish at a time");
            for (Insert insert : inserts) {
                boolean signalled = false;
                for (long due : published.subList(insert.publishedBefore(), published.size())) {
                    signalled |= due <= insert.due();
                }
                Fakes.expect(signalled, insert + " is published, of " + published);
            }
        }
    }
}
