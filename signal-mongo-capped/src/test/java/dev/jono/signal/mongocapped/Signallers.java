package dev.jono.signal.mongocapped;

import dev.jono.Storage;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** Opens signallers and records signals. */
final class Signallers {
    private static final ExecutorService DRIVERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "test-driver");
        thread.setDaemon(true);
        return thread;
    });

    private Signallers() {}

    static Signaller open(String uri, String namespace) {
        return open(config(uri, namespace));
    }

    /** A signaller with a client of the application. */
    static Signaller open(Storage storage, String namespace) {
        return open(config("", namespace).storage(storage));
    }

    private static PluginConfig.Builder config(String uri, String namespace) {
        return PluginConfig.builder()
                .url(ConnectionUrl.parse("mongo-capped:" + uri))
                .namespace(namespace)
                .executor(DRIVERS);
    }

    private static Signaller open(PluginConfig.Builder config) {
        return new MongoCappedSignallerProvider().open(config.build());
    }

    static void await(String what, BooleanSupplier holds) {
        Awaitility.await(what)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(30))
                .until(holds::getAsBoolean);
    }

    /** Records signals and counts gaps. */
    static final class RecordingListener implements Signaller.Listener {
        final List<Signal> signals = new CopyOnWriteArrayList<>();
        final AtomicInteger gaps = new AtomicInteger();

        @Override
        public void onSignal(Signal signal) {
            signals.add(signal);
        }

        @Override
        public void onGap() {
            gaps.incrementAndGet();
        }
    }
}
