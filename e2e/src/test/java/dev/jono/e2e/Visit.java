package dev.jono.e2e;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Worker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** An application that uses Jono briefly. {@link AppServer} runs it in a class loader of its own. */
public final class Visit implements Runnable {
    private final String url;

    /** A visit to this storage. */
    public Visit(String url) {
        this.url = url;
    }

    @Override
    public void run() {
        try (QueueFactory jono = QueueFactory.connect(url)) {
            MessageQueue<String> queue = jono.queue("orders", Codec.string());
            queue.pop(Duration.ZERO);
            CompletableFuture<?> waiting = queue.popAsync(Duration.ofMinutes(1));
            queue.push("a");
            waiting.join();
            if (queue.capabilities().contains(Capability.RESERVE)) {
                work(jono, queue);
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static void work(QueueFactory jono, MessageQueue<String> queue) {
        CompletableFuture<String> handled = new CompletableFuture<>();
        Worker worker = jono.worker()
                .from(queue, (payload, delivery) -> handled.complete(payload))
                .start();
        queue.push("b");
        handled.join();
        if (!worker.stop(Duration.ofSeconds(20))) {
            throw new IllegalStateException("the worker did not stop in time");
        }
    }
}
