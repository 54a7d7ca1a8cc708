package dev.jono.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Backoff;
import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.JonoException;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Worker;
import dev.jono.pipeline.Outcome;
import dev.jono.pipeline.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A load that continues whatever happens to the storage. One client pushes; another one pops, or reserves and acks, or
 * runs a pipeline, as the backend's capabilities allow. Records what both have seen.
 */
public final class Load implements AutoCloseable {
    private static final int LIST = 5;
    /**
     * The pause between two pushes to a queue: servers share the machine with the clients, and need time for elections.
     */
    private static final long PAUSE_MILLIS = 20;

    /** The maximum number of messages in flight, because storing is faster than taking. */
    private static final int UNDER_WAY = 20;

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final String backend;
    private final QueueFactory producing;
    private final QueueFactory consuming;
    private final CountDownLatch producingEnded = new CountDownLatch(1);
    private final CountDownLatch consumingEnded = new CountDownLatch(1);
    private final Way acked = new Way("acked");
    private final Way popped = new Way("popped");
    private final Way piped = new Way("first");
    private final List<Way> ways;
    private final List<MessageQueue<String>> queues = new ArrayList<>();
    private final CompletableFuture<Void> popper;
    private final @Nullable Worker worker;
    private final @Nullable Pipeline pipeline;
    private final Queue<JonoException> failures = new ConcurrentLinkedQueue<>();

    /** A path of messages, from the push to the consumer. */
    private static final class Way {
        private final String queue;
        private final Set<String> begun = ConcurrentHashMap.newKeySet();
        private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
        private final Queue<String> out = new ConcurrentLinkedQueue<>();
        private CompletableFuture<Void> producer = CompletableFuture.completedFuture(null);
        private final Semaphore room = new Semaphore(UNDER_WAY);
        private int next;

        Way(String queue) {
            this.queue = queue;
        }

        /** Pushes one message and a list, alternately. */
        void push(MessageQueue<String> to) throws InterruptedException {
            int count = next % (LIST + 1) == 0 ? 1 : LIST;
            boolean one = room.tryAcquire(count, 2, TimeUnit.SECONDS); // otherwise some messages may be lost
            List<String> payloads = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                payloads.add(queue + '-' + next++);
            }
            begun.addAll(payloads);
            try {
                if (count == 1) {
                    to.push(payloads.get(0));
                } else {
                    to.pushAll(payloads);
                }
                acknowledged.addAll(payloads);
            } catch (JonoException failure) {
                room.release(one ? count : 0);
                throw failure;
            }
        }

        void arrived(String payload) {
            out.add(payload);
            room.release();
        }
    }

    /** A task that a thread repeats. */
    private interface Task {
        void run() throws InterruptedException;
    }

    /** Starts the load. */
    public Load(String url) {
        this.backend = url.substring(0, url.indexOf(':'));
        producing = connect(url);
        consuming = connect(url);
        MessageQueue<String> toPop = consumed(popped.queue);
        boolean reserves = toPop.capabilities().contains(Capability.RESERVE);
        ways = reserves ? List.of(acked, popped, piped) : List.of(popped);
        worker = reserves ? worker() : null;
        pipeline = reserves ? pipeline() : null;
        popper = running(
                consumingEnded,
                0,
                () -> toPop.pop(20, Duration.ofMillis(200)).forEach(message -> popped.arrived(message.payload())));
        for (Way way : ways) {
            MessageQueue<String> queue = producing.queue(way.queue, Codec.string());
            way.producer = running(producingEnded, PAUSE_MILLIS, () -> way.push(queue));
        }
    }

    private Worker worker() {
        return consuming
                .worker()
                .concurrency(2)
                .from(consumed(acked.queue), (payload, delivery) -> acked.arrived(payload))
                .start();
    }

    private Pipeline pipeline() {
        MessageQueue<String> second = consumed("second");
        MessageQueue<String> third = consumed("third");
        return consuming
                .pipeline("load")
                .concurrency(2)
                .direct(consumed(piped.queue), second, (payload, message) -> Outcome.next())
                .direct(second, third, (payload, message) -> Outcome.next())
                .sink(third, (payload, message) -> {
                    piped.arrived(payload);
                    return Outcome.next();
                })
                .start();
    }

    private static QueueFactory connect(String url) {
        return QueueFactory.builder(url)
                .queueDefaults(QueueOptions.builder()
                        .lease(Duration.ofSeconds(20))
                        .operationTimeout(Duration.ofSeconds(40))
                        .pollInterval(Duration.ofSeconds(2))
                        .backoff(Backoff.fixed(Duration.ZERO))
                        .deadLetter(DeadLetter.never())
                        .build())
                .connect();
    }

    private MessageQueue<String> consumed(String name) {
        MessageQueue<String> queue = consuming.queue(name, Codec.string());
        queues.add(queue);
        return queue;
    }

    private CompletableFuture<Void> running(CountDownLatch ended, long pauseMillis, Task task) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        while (!ended.await(pauseMillis, TimeUnit.MILLISECONDS)) {
                            tried(task);
                        }
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                run -> new Thread(run, "load-" + backend).start());
    }

    private void tried(Task task) throws InterruptedException {
        try {
            task.run();
        } catch (JonoException failure) {
            failures.add(failure);
        }
    }

    private void await(String what, BooleanSupplier holds) {
        try {
            Awaitility.await(what)
                    .pollInterval(Duration.ofMillis(20))
                    .atMost(PATIENCE)
                    .until(holds::getAsBoolean);
        } catch (ConditionTimeoutException late) {
            throw new AssertionError("waited for " + what + ", have " + this, late);
        }
    }

    /** Waits until this many more messages have arrived at the end of each path. */
    public void awaitMore(int more) {
        List<Integer> before = ways.stream().map(way -> way.out.size()).toList();
        for (int i = 0; i < ways.size(); i++) {
            Way way = ways.get(i);
            int enough = before.get(i) + more;
            await("more out of " + way.queue, () -> way.out.size() >= enough);
        }
    }

    /** Stops the load, and checks that each pushed message arrived exactly once and no call failed. */
    public void assertNothingIsLostOrDoubled() {
        assertNothingIsLost();
        for (Way way : ways) {
            assertThat(way.out).as(way.queue + " of " + backend).doesNotHaveDuplicates();
        }
    }

    /** As the method above, but messages may arrive more than once. */
    public void assertNothingIsLost() {
        endProducers();
        for (Way way : ways) {
            await("all of " + way.queue, () -> Set.copyOf(way.out).containsAll(way.acknowledged));
        }
        endConsumers();
        assertThat(failures).as("failures of " + backend).isEmpty();
    }

    /** Stops the load, and returns how many acknowledged messages have not arrived. */
    public String lost() {
        endProducers();
        endConsumers();
        int acknowledged = 0;
        Set<String> lost = new HashSet<>();
        for (Way way : ways) {
            acknowledged += way.acknowledged.size();
            lost.addAll(way.acknowledged);
            lost.removeAll(Set.copyOf(way.out));
        }
        return backend + ": " + lost.size() + " lost of " + acknowledged + " acknowledged, " + failures.size()
                + " calls failed";
    }

    private void endProducers() {
        producingEnded.countDown();
        ways.forEach(way -> way.producer.join());
    }

    private void endConsumers() {
        await("empty queues", () -> queues.stream().allMatch(queue -> queue.totalSize() == 0));
        consumingEnded.countDown();
        popper.join();
        if (worker != null) {
            worker.stop(Duration.ofSeconds(10));
        }
        if (pipeline != null) {
            pipeline.stop(Duration.ofSeconds(10));
        }
        for (Way way : ways) {
            assertThat(way.acknowledged).isNotEmpty();
            assertThat(way.out).as(way.queue + " of " + backend).isSubsetOf(way.begun);
        }
        assertThat(consuming.deadLetters().totalSize()).isZero();
    }

    @Override
    public void close() {
        producingEnded.countDown();
        consumingEnded.countDown();
        producing.close();
        consuming.close();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(backend);
        for (Way way : ways) {
            text.append(", ")
                    .append(way.queue)
                    .append(' ')
                    .append(way.out.size())
                    .append(" of ")
                    .append(way.acknowledged.size());
        }
        return text.append(", failures ").append(failures).toString();
    }
}
