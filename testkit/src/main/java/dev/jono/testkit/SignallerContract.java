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
     * Opens one more signaller on the same location, which acts like another process. During a test at least one stays
     * open.
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
    private static void publishUntilReceived(Signaller from, Signal signal, RecordingListener listener) {
        await(signal + " to arrive", () -> {
            publish(from, signal);
            return listener.received(signal.kind());
        });
    }

    @Test
    void signalsReachTheOthersWithAllTheySay() {
        RecordingListener listener = new RecordingListener();
        signaller().subscribe("orders", listener);
        Signaller from = signaller();
        publishUntilReceived(from, Signal.inserted("orders", 1_767_225_600_123L), listener);
        publishUntilReceived(from, Signal.paused("orders"), listener);
        publishUntilReceived(from, Signal.resumed("orders"), listener);
        assertThat(listener.signals()).allMatch(s -> s.queue().equals("orders"));
        assertThat(listener.signals().stream().filter(s -> s.kind() == Signal.Kind.INSERTED))
                .allMatch(s -> s.dueMillis() == 1_767_225_600_123L);
    }

    @Test
    void signalsOfOneQueueAreNotHeardInAnother() {
        RecordingListener listener = new RecordingListener();
        RecordingListener other = new RecordingListener();
        Signaller to = signaller();
        to.subscribe("orders", listener);
        to.subscribe("orders2", other);
        Signaller from = signaller();
        publishUntilReceived(from, Signal.inserted("orders", 1), listener);
        publishUntilReceived(from, Signal.paused("orders2"), other);
        assertThat(other.signals()).allMatch(s -> s.queue().equals("orders2"));
        assertThat(listener.signals()).allMatch(s -> s.queue().equals("orders"));
    }

    @Test
    void namespacesAreKeptApart() {
        RecordingListener local = new RecordingListener();
        RecordingListener remote = new RecordingListener();
        signaller().subscribe("orders", local);
        Signaller elsewhere = signaller(namespace + "x");
        elsewhere.subscribe("orders", remote);
        publishUntilReceived(signaller(), Signal.inserted("orders", 1), local);
        publishUntilReceived(signaller(namespace + "x"), Signal.paused("orders"), remote);
        assertThat(remote.received(Signal.Kind.INSERTED)).isFalse();
        assertThat(local.received(Signal.Kind.PAUSED)).isFalse();
    }

    @Test
    void everySubscriberHears() {
        RecordingListener one = new RecordingListener();
        RecordingListener two = new RecordingListener();
        RecordingListener three = new RecordingListener();
        Signaller shared = signaller();
        shared.subscribe("orders", one);
        shared.subscribe("orders", two);
        signaller().subscribe("orders", three);
        Signaller from = signaller();
        for (RecordingListener listener : List.of(one, two, three)) {
            publishUntilReceived(from, Signal.inserted("orders", 1), listener);
        }
    }

    @Test
    void endedSubscriptionHearsNoMoreAndItsSiblingsStillDo() {
        RecordingListener ended = new RecordingListener();
        RecordingListener stays = new RecordingListener();
        Signaller to = signaller();
        Signaller.Subscription subscription = to.subscribe("orders", ended);
        to.subscribe("orders", stays);
        Signaller from = signaller();
        publishUntilReceived(from, Signal.inserted("orders", 1), ended);
        subscription.close();
        subscription.close();
        publishUntilReceived(from, Signal.paused("orders"), stays);
        assertThat(ended.received(Signal.Kind.PAUSED)).isFalse();
    }

    @Test
    void queueMayBeSubscribedAgain() {
        Signaller to = signaller();
        to.subscribe("orders", new RecordingListener()).close();
        RecordingListener listener = new RecordingListener();
        to.subscribe("orders", listener);
        publishUntilReceived(signaller(), Signal.inserted("orders", 1), listener);
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
        RecordingListener listener = new RecordingListener();
        to.subscribe("orders", listener);
        Signaller from = signaller();
        publishUntilReceived(from, Signal.inserted("orders", 1), listener);
        publishUntilReceived(from, Signal.paused("orders"), listener);
        assertThat(thrown.get()).isPositive();
    }

    @Test
    void lastOfManySignalsArrivesOrAGapIsTold() {
        RecordingListener listener = new RecordingListener();
        signaller().subscribe("orders", listener);
        Signaller from = signaller();
        publishUntilReceived(from, Signal.inserted("orders", 1), listener);
        int gaps = listener.gaps(); // a listener gets one when it starts
        List<java.util.concurrent.CompletionStage<Void>> sent = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            sent.add(from.publish(Signal.inserted("orders", i)));
        }
        sent.add(from.publish(Signal.paused("orders")));
        await("the last signal, or a gap", () -> listener.received(Signal.Kind.PAUSED) || listener.gaps() > gaps);
        await(
                "every publish to end",
                () -> sent.stream().allMatch(s -> s.toCompletableFuture().isDone()));
    }

    @Test
    void thousandsOfSubscriptionsAreCheap() {
        Signaller to = signaller();
        RecordingListener last = new RecordingListener();
        List<Signaller.Subscription> subscriptions = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            subscriptions.add(to.subscribe("q" + i, i == 9_999 ? last : new RecordingListener()));
        }
        publishUntilReceived(signaller(), Signal.inserted("q9999", 1), last);
        subscriptions.forEach(Signaller.Subscription::close);
    }

    @Test
    void closeIsIdempotentAndLeavesOthersAlone() {
        RecordingListener listener = new RecordingListener();
        signaller().subscribe("orders", listener);
        Signaller from = signaller();
        Signaller closed = signaller();
        closed.close();
        closed.close();
        publishUntilReceived(from, Signal.inserted("orders", 1), listener);
    }

    @Test
    void queuesOfAnyLegalNameAreSignalled() {
        Signaller to = signaller();
        Signaller from = signaller();
        for (String name : List.of("a:b", "{tag}.q", "a@b/c+d~e#f=g", "x".repeat(200))) {
            RecordingListener listener = new RecordingListener();
            to.subscribe(name, listener);
            publishUntilReceived(from, Signal.inserted(name, 1), listener);
            assertThat(listener.signals()).allMatch(s -> s.queue().equals(name));
        }
    }
}
