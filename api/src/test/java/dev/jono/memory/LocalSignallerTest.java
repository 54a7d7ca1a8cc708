package dev.jono.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jono.ConfigurationException;
import dev.jono.Storage;
import dev.jono.spi.Backend;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.HandClock;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LocalSignallerTest {
    private static final Signal INSERTED = Signal.inserted("q", 1);

    private static Signaller open(String url, String namespace, @Nullable Storage storage) {
        return new LocalSignallerProvider()
                .open(PluginConfig.builder()
                        .url(ConnectionUrl.parse(url))
                        .namespace(namespace)
                        .executor(Runnable::run)
                        .storage(storage)
                        .build());
    }

    @Test
    void reachesAllListenersOfTheQueue() {
        Signaller signaller = open("local:", "N", null);
        RecordingListener one = new RecordingListener();
        RecordingListener two = new RecordingListener();
        RecordingListener otherQueue = new RecordingListener();
        signaller.subscribe("q", one);
        signaller.subscribe("q", two);
        signaller.subscribe("other", otherQueue);
        signaller.publish(INSERTED);
        assertThat(one.signals).containsExactly(INSERTED);
        assertThat(two.signals).containsExactly(INSERTED);
        assertThat(otherQueue.signals).isEmpty();
    }

    @Test
    void aListenerThatThrowsDoesNotAffectOthers() {
        Signaller signaller = open("local:", "N", null);
        signaller.subscribe("q", new RecordingListener() {
            @Override
            public void onSignal(Signal signal) {
                throw new IllegalStateException("a listener of a test, which throws");
            }
        });
        RecordingListener other = new RecordingListener();
        signaller.subscribe("q", other);
        assertThat(signaller.publish(INSERTED).toCompletableFuture()).isCompleted();
        assertThat(other.signals).containsExactly(INSERTED);
    }

    @Test
    void endsEachSubscriptionSeparately() {
        Signaller signaller = open("local:", "N", null);
        RecordingListener listener = new RecordingListener();
        Signaller.Subscription first = signaller.subscribe("q", listener);
        signaller.subscribe("q", listener);
        first.close();
        first.close();
        signaller.publish(INSERTED);
        assertThat(listener.signals).hasSize(1);
    }

    @Test
    void reachesSignallersOfTheSameStorageAndNamespace() {
        try (Backend backend = TestQueue.open("memory:", new HandClock())) {
            RecordingListener same = new RecordingListener();
            RecordingListener otherNamespace = new RecordingListener();
            RecordingListener ownBus = new RecordingListener();
            open("local:", "N", backend.storage()).subscribe("q", same);
            open("local:", "M", backend.storage()).subscribe("q", otherNamespace);
            open("local:", "N", null).subscribe("q", ownBus);
            open("local:", "N", backend.storage()).publish(INSERTED);
            assertThat(same.signals).containsExactly(INSERTED);
            assertThat(otherNamespace.signals).isEmpty();
            assertThat(ownBus.signals).isEmpty();
        }
    }

    @Test
    void reachesSignallersOfTheSameNameOnAnyStorage() {
        Storage foreign = new Storage() {};
        RecordingListener listener = new RecordingListener();
        Signaller listening = open("local:bus-1", "N", null);
        Signaller publishing = open("local:bus-1", "N", foreign);
        listening.subscribe("q", listener);
        publishing.publish(INSERTED);
        publishing.close();
        publishing.close();
        publishing.publish(Signal.paused("q"));
        open("local:bus-1", "N", null).publish(Signal.resumed("q"));
        assertThat(listener.signals)
                .extracting(Signal::kind)
                .containsExactly(Signal.Kind.INSERTED, Signal.Kind.RESUMED);
    }

    @Test
    void isSilentAfterClose() {
        RecordingListener listener = new RecordingListener();
        Signaller listening = open("local:bus-2", "N", null);
        Signaller publishing = open("local:bus-2", "N", null);
        listening.subscribe("q", listener);
        listening.close();
        listening.subscribe("q", listener);
        publishing.publish(INSERTED);
        assertThat(listener.signals).isEmpty();
    }

    @Test
    void refusesOptions() {
        assertThatExceptionOfType(ConfigurationException.class).isThrownBy(() -> open("local:?jono.x=1", "N", null));
    }

    private static class RecordingListener implements Signaller.Listener {
        final List<Signal> signals = new ArrayList<>();

        @Override
        public void onSignal(Signal signal) {
            signals.add(signal);
        }

        @Override
        public void onGap() {}
    }
}
