package dev.jono.spi;

import java.util.concurrent.CompletionStage;

/**
 * Broadcasts that a queue has got messages or was paused, to all processes of a namespace that listen. Best
 * effort: a signal may be lost, doubled or late; the engine repairs a lost one at its poll interval. Thread-safe.
 */
public interface Signaller extends AutoCloseable {
    /**
     * Sends a signal. Never blocks. A failure completes the stage exceptionally; the engine logs it and goes on. The
     * engine keeps one publish per queue in flight and merges what comes meanwhile.
     */
    CompletionStage<Void> publish(Signal signal);

    /**
     * Listens for the signals of a queue, its own process's included or not. Must be cheap: a process may listen to
     * ten thousand queues. The listener is called on a thread of the signaller and never blocks.
     */
    Subscription subscribe(String queue, Listener listener);

    /** Stops listening and publishing; closes the connection if this signaller made it. Idempotent. */
    @Override
    void close();

    /** What a subscriber is told. */
    interface Listener {
        /** A signal came. */
        void onSignal(Signal signal);

        /** Signals may have been missed (a lost connection, an overflow): look for yourself. */
        void onGap();
    }

    /** A subscription; close ends it. Idempotent. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
