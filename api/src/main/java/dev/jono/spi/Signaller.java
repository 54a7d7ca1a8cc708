package dev.jono.spi;

import java.util.concurrent.CompletionStage;

/**
 * Broadcasts signals to all processes of a namespace that listen. Best effort: a signal may be lost, duplicated or late.
 * The engine repairs a lost signal at its poll interval. Must be thread-safe.
 */
public interface Signaller extends AutoCloseable {
    /**
     * Sends a signal. Must not block. If it fails, the stage completes exceptionally; the engine then logs the failure
     * and continues. The engine keeps one publish per queue in flight, and merges the signals that come meanwhile.
     */
    CompletionStage<Void> publish(Signal signal);

    /**
     * Listens for the signals of a queue. Whether it also receives the signals of its own process is up to the signaller.
     * Must be cheap, because a process may listen to ten thousand queues. The signaller calls the listener on its own
     * thread; the listener never blocks.
     */
    Subscription subscribe(String queue, Listener listener);

    /** Stops listening and publishing, and closes the connection if this signaller opened it. Idempotent. */
    @Override
    void close();

    /** Receives the signals of a subscription. */
    interface Listener {
        /** A signal arrived. */
        void onSignal(Signal signal);

        /**
         * Signals may have been lost, for example because a connection was lost or a buffer was full. The engine then
         * looks for messages itself.
         */
        void onGap();
    }

    /** A subscription, which close ends. Idempotent. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
