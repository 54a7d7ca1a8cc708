package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Worker;
import java.util.concurrent.CountDownLatch;

/** Rounds in which 64 calls in flight push messages, while a worker handles up to 64 of them with a handler that does nothing. */
final class HandledMessages {
    /** 200 bytes of JSON. */
    static final String PAYLOAD = "x".repeat(198);

    private static final int AT_ONCE = 64;

    private HandledMessages() {}

    /** A round of {@code count} messages. */
    static Interleaved.Round round(QueueFactory jono, int count) {
        return round(jono, "messages", count);
    }

    /** A round on a queue of its own. */
    static Interleaved.Round round(QueueFactory jono, String name, int count) {
        MessageQueue<String> queue = jono.queue(name, Codec.json(String.class));
        return new Interleaved.Round() {
            @Override
            public long run() throws Exception {
                CountDownLatch left = new CountDownLatch(count);
                Worker worker = jono.worker()
                        .concurrency(AT_ONCE)
                        .from(queue, (payload, message) -> left.countDown())
                        .start();
                Callers.inFlight(AT_ONCE, count, () -> queue.pushAsync(PAYLOAD));
                left.await();
                worker.close();
                return count;
            }

            @Override
            public void after() {
                if (queue.totalSize() > 0) {
                    throw new IllegalStateException("messages are left in queue '" + queue.name() + "'");
                }
            }
        };
    }
}
