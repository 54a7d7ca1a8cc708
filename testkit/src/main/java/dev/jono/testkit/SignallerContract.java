package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of {@link Signaller}. Name the subclass {@code *ContractTest}, so that Surefire runs it. */
@Tag("signaller")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class SignallerContract {
    private final List<Signaller> opened = new CopyOnWriteArrayList<>();
    private final String namespace = "N" + UUID.randomUUID().toString().substring(0, 8);

    /** For subclasses. */
    protected SignallerContract() {}

    /**
     * Opens one more signaller on the same location, which acts like another process. During a test at least one stays open.
     *
     * @param namespace differs from those of other tests
     */
    protected abstract Signaller open(String namespace);

    private Signaller signaller() {
        return signaller(namespace);
    }

    private Signaller signaller(String name) {
        Signaller signaller = open(name);
        opened.add(signaller);
        return signaller;
    }

    @AfterEach
    final void closeSignallers() {
        opened.forEach(Signaller::close);
    }

    private static final class Ear implements Signaller.Listener {
        private final List<Signal> heard = new CopyOnWriteArrayList<>();
        private final AtomicInteger gaps = new AtomicInteger();

        @Override
        public void onSignal(Signal signal) {
            heard.add(signal);
        }

        @Override
        public void onGap() {
            gaps.incrementAndGet();
        }

        boolean hears(Signal.Kind kind) {
            return heard.stream().anyMatch(s -> s.kind() == kind);
        }
    }

    private static void await(String what, BooleanSupplier holds) {
        Awaitility.await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .atMost(Duration.ofSeconds(15))
                .until(holds::getAsBoolean);
    }

    private static void publish(Signaller from, Signal signal) {
        assertThatCode(() -> from.publish(signal).toCompletableFuture().get(15, TimeUnit.SECONDS))
                .doesNotThrowAnyException();
    }

    /** Publishes until the listener gets the signal, because a subscription may take a moment to reach the storage. */
    private static void publishUntilHeard(Signaller from, Signal signal, Ear ear) {
        await(signal + " to arrive", () -> {
            publish(from, signal);
            return ear.hears(signal.kind());
        });
    }

    @Test
    void signalsReachTheOthersWithAllTheySay() {
        Ear ear = new Ear();
        signaller().subscribe("orders", ear);
        Signaller from = signaller();
        publishUntilHeard(from, Signal.inserted("orders", 1_767_225_600_123L), ear);
        publishUntilHeard(from, Signal.paused("orders"), ear);
        publishUntilHeard(from, Signal.resumed("orders"), ear);
        assertThat(ear.heard).allMatch(s -> s.queue().equals("orders"));
        assertThat(ear.heard.stream().filter(s -> s.kind() == Signal.Kind.INSERTED))
                .allMatch(s -> s.dueMillis() == 1_767_225_600_123L);
    }

    @Test
    void signalsOfOneQueueAreNotHeardInAnother() {
        Ear ear = new Ear();
        Ear other = new Ear();
        Signaller to = signaller();
        to.subscribe("orders", ear);
        to.subscribe("orders2", other);
        Signaller from = signaller();
        publishUntilHeard(from, Signal.inserted("orders", 1), ear);
        publishUntilHeard(from, Signal.paused("orders2"), other);
        assertThat(other.heard).allMatch(s -> s.queue().equals("orders2"));
        assertThat(ear.heard).allMatch(s -> s.queue().equals("orders"));
    }

    @Test
    void namespacesAreKeptApart() {
        Ear here = new Ear();
        Ear there = new Ear();
        signaller().subscribe("orders", here);
        Signaller elsewhere = signaller(namespace + "x");
        elsewhere.subscribe("orders", there);
        publishUntilHeard(signaller(), Signal.inserted("orders", 1), here);
        publishUntilHeard(signaller(namespace + "x"), Signal.paused("orders"), there);
        assertThat(there.hears(Signal.Kind.INSERTED)).isFalse();
        assertThat(here.hears(Signal.Kind.PAUSED)).isFalse();
    }

    @Test
    void everySubscriberHears() {
        Ear one = new Ear();
        Ear two = new Ear();
        Ear three = new Ear();
        Signaller shared = signaller();
        shared.subscribe("orders", one);
        shared.subscribe("orders", two);
        signaller().subscribe("orders", three);
        Signaller from = signaller();
        for (Ear ear : List.of(one, two, three)) {
            publishUntilHeard(from, Signal.inserted("orders", 1), ear);
        }
    }

    @Test
    void endedSubscriptionHearsNoMoreAndItsSiblingsStillDo() {
        Ear ended = new Ear();
        Ear stays = new Ear();
        Signaller to = signaller();
        Signaller.Subscription subscription = to.subscribe("orders", ended);
        to.subscribe("orders", stays);
        Signaller from = signaller();
        publishUntilHeard(from, Signal.inserted("orders", 1), ended);
        subscription.close();
        subscription.close();
        publishUntilHeard(from, Signal.paused("orders"), stays);
        assertThat(ended.hears(Signal.Kind.PAUSED)).isFalse();
    }

    @Test
    void queueMayBeSubscribedAgain() {
        Signaller to = signaller();
        to.subscribe("orders", new Ear()).close();
        Ear ear = new Ear();
        to.subscribe("orders", ear);
        publishUntilHeard(signaller(), Signal.inserted("orders", 1), ear);
    }

    @Test
    void publishWithoutListenersIsFine() {
        publish(signaller(), Signal.inserted("orders", 1));
        publish(signaller(), Signal.resumed("orders"));
    }

    @Test
    void listenerThatThrowsDeafensNobody() {
        Signaller to = signaller();
        AtomicInteger thrown = new AtomicInteger();
        to.subscribe("orders", new Signaller.Listener() {
            @Override
            public void onSignal(Signal signal) {
                thrown.incrementAndGet();
                throw new IllegalStateException("a test's");
            }

            @Override
            public void onGap() {}
        });
        Ear ear = new Ear();
        to.subscribe("orders", ear);
        Signaller from = signaller();
        publishUntilHeard(from, Signal.inserted("orders", 1), ear);
        publishUntilHeard(from, Signal.paused("orders"), ear);
        assertThat(thrown.get()).isPositive();
    }

    @Test
    void lastOfManySignalsArrivesOrAGapIsTold() {
        Ear ear = new Ear();
        signaller().subscribe("orders", ear);
        Signaller from = signaller();
        publishUntilHeard(from, Signal.inserted("orders", 1), ear);
        int gaps = ear.gaps.get(); // a listener gets one when it starts
        List<java.util.concurrent.CompletionStage<Void>> sent = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            sent.add(from.publish(Signal.inserted("orders", i)));
        }
        sent.add(from.publish(Signal.paused("orders")));
        await("the last signal, or a gap", () -> ear.hears(Signal.Kind.PAUSED) || ear.gaps.get() > gaps);
        await(
                "every publish to end",
                () -> sent.stream().allMatch(s -> s.toCompletableFuture().isDone()));
    }

    @Test
    void thousandsOfSubscriptionsAreCheap() {
        Signaller to = signaller();
        Ear last = new Ear();
        List<Signaller.Subscription> subscriptions = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            subscriptions.add(to.subscribe("q" + i, i == 9_999 ? last : new Ear()));
        }
        publishUntilHeard(signaller(), Signal.inserted("q9999", 1), last);
        subscriptions.forEach(Signaller.Subscription::close);
    }

    @Test
    void closeIsIdempotentAndLeavesOthersAlone() {
        Ear ear = new Ear();
        signaller().subscribe("orders", ear);
        Signaller from = signaller();
        Signaller closed = signaller();
        closed.close();
        closed.close();
        publishUntilHeard(from, Signal.inserted("orders", 1), ear);
    }

    @Test
    void queuesOfAnyLegalNameAreSignalled() {
        Signaller to = signaller();
        Signaller from = signaller();
        for (String name : List.of("a:b", "{tag}.q", "a@b/c+d~e#f=g", "x".repeat(200))) {
            Ear ear = new Ear();
            to.subscribe(name, ear);
            publishUntilHeard(from, Signal.inserted(name, 1), ear);
            assertThat(ear.heard).allMatch(s -> s.queue().equals(name));
        }
    }
}
