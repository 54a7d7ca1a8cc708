package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.QueueClient.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Drives a {@code LinkedBlockingQueue}, the upper limit for a queue within one process. At its best: {@code drainTo} of
 * 1,000 messages.
 */
final class JucDriver implements Driver {
    private static final int DRAINED_AT_ONCE = 1000;

    private final LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
    private List<LinkedBlockingQueue<String>> queues = List.of();

    @Override
    public void push(Payloads payloads, int width) throws InterruptedException {
        for (int i = 0; i < payloads.count(); i++) {
            send(payloads.text(i));
        }
    }

    @Override
    public void send(String text) throws InterruptedException {
        queue.put(text);
    }

    @Override
    public void flush() {}

    @Override
    public void take(Step step, TakeProgress progress, int width) throws InterruptedException {
        List<String> some = new ArrayList<>();
        while (progress.isOpen()) {
            String one = queue.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            if (one == null) {
                continue;
            }
            some.add(one);
            if (width != 1) {
                queue.drainTo(some, DRAINED_AT_ONCE - 1);
            }
            some.forEach(progress::arrived);
            progress.settled(some.size());
            some.clear();
        }
    }

    @Override
    public void openQueues(int count) {
        if (queues.size() != count) {
            queues = Stream.generate(LinkedBlockingQueue<String>::new)
                    .limit(count)
                    .toList();
        }
    }

    @Override
    public void pushToQueues(Payloads payloads, int width) throws InterruptedException {
        for (int i = 0; i < payloads.count(); i++) {
            queues.get(i % queues.size()).put(payloads.text(i));
        }
    }

    /** Polls the queues in turn. */
    @Override
    public void takeFromQueues(Step step, TakeProgress progress, int width) {
        while (progress.isOpen()) {
            for (LinkedBlockingQueue<String> each : queues) {
                String one = each.poll();
                if (one != null) {
                    progress.arrived(one);
                    progress.settled(1);
                }
            }
        }
    }
}
