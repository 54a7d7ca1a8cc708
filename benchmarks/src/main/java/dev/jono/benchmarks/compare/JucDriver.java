package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.QueueClient.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A {@code LinkedBlockingQueue}: the ceiling of what stays within a process. At its best: {@code drainTo} of 1,000. */
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
    public void take(Step step, TakeProgress intake, int width) throws InterruptedException {
        List<String> some = new ArrayList<>();
        while (intake.open()) {
            String one = queue.poll(WAIT_MILLIS, TimeUnit.MILLISECONDS);
            if (one == null) {
                continue;
            }
            some.add(one);
            if (width != 1) {
                queue.drainTo(some, DRAINED_AT_ONCE - 1);
            }
            some.forEach(intake::arrived);
            intake.settled(some.size());
            some.clear();
        }
    }

    @Override
    public void queues(int count) {
        if (queues.size() != count) {
            queues = Stream.generate(LinkedBlockingQueue<String>::new)
                    .limit(count)
                    .toList();
        }
    }

    @Override
    public void pushOver(Payloads payloads, int width) throws InterruptedException {
        for (int i = 0; i < payloads.count(); i++) {
            queues.get(i % queues.size()).put(payloads.text(i));
        }
    }

    /** Looks at each in turn. */
    @Override
    public void takeOver(Step step, TakeProgress intake, int width) {
        while (intake.open()) {
            for (LinkedBlockingQueue<String> each : queues) {
                String one = each.poll();
                if (one != null) {
                    intake.arrived(one);
                    intake.settled(1);
                }
            }
        }
    }
}
