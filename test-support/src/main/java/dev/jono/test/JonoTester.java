package dev.jono.test;

import dev.jono.BrowsedMessage;
import dev.jono.EncodedPayload;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Worker;
import dev.jono.WorkerBuilder;
import dev.jono.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * What a test does with its factory: it runs workers until they are idle, lets time pass, and looks at dead letters. A test with {@link
 * JonoTest} gets it as a parameter. For a factory that the application opens, such as that of a Spring context, {@link #of} makes one. For
 * the thread of the test.
 */
public final class JonoTester {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final QueueFactory factory;
    private final @Nullable SettableClock clock;
    private final RawQueues queues;
    private final IdleWait idle;
    private final DueScheduleWait schedules;
    private boolean mayLeaveDeadLetters;

    JonoTester(QueueFactory factory, @Nullable SettableClock clock) {
        this.factory = factory;
        this.clock = clock;
        this.queues = new RawQueues(factory);
        this.idle = new IdleWait(factory, queues);
        this.schedules = new DueScheduleWait(factory, idle);
    }

    /**
     * A tester of a factory that the application has opened, with its workers. The caller closes the factory. Dead letters fail no test.
     * Without a settable clock, {@link #clock} and {@link #advance} cannot be used.
     */
    public static JonoTester of(QueueFactory factory) {
        return new JonoTester(Objects.requireNonNull(factory, "factory"), null);
    }

    /**
     * {@link #of(QueueFactory)} for a factory whose time the test sets.
     *
     * @param clock the clock with which the factory was opened
     * @throws TestAbortedException if the storage has a clock of its own, such as that of a server: the test is skipped
     */
    public static JonoTester of(QueueFactory factory, SettableClock clock) {
        Objects.requireNonNull(clock, "clock");
        if (!TestStorage.takesTimeOfFactory(factory.backend())) {
            throw noClock(factory.backend());
        }
        return new JonoTester(factory, clock);
    }

    /** The factory of the test. */
    public QueueFactory factory() {
        return factory;
    }

    /**
     * The clock of the factory. It stands still until the test moves it; {@link #advance} does that in steps.
     *
     * @throws TestAbortedException if the storage has a clock of its own, such as that of a server: the test is skipped
     * @throws IllegalStateException if the factory has another clock, or {@link #of} did not get it
     */
    public SettableClock clock() {
        if (clock != null) {
            return clock;
        }
        if (TestStorage.takesTimeOfFactory(factory.backend())) {
            throw new IllegalStateException(
                    "the tester has no clock: open the factory with a SettableClock, and give both to"
                            + " JonoTester.of(factory, clock)");
        }
        throw noClock(factory.backend());
    }

    /** Skips a test that sets the time of a storage with a clock of its own. */
    static TestAbortedException noClock(String backend) {
        return new TestAbortedException(
                "this test sets the time, and the storage '" + backend + "' has a clock that it cannot set");
    }

    /** {@link #awaitIdle(Duration)} with 10 s. */
    public void awaitIdle() {
        awaitIdle(PATIENCE);
    }

    /**
     * Waits until the workers of the factory have nothing to do: no message of their queues is due or held, and no handler runs. The runners
     * of jobs are among them. Messages that are due later, paused queues, and queues without a worker are not waited for.
     *
     * @param timeout by real time
     * @throws AssertionError if they are not idle in time; the message says which queues have work
     */
    public void awaitIdle(Duration timeout) {
        idle.await(timeout);
    }

    /**
     * Starts a worker, waits as {@link #awaitIdle()} does, and stops the worker.
     *
     * @throws AssertionError if the workers of the factory are not idle in 10 s
     */
    public void runUntilIdle(WorkerBuilder builder) {
        Worker worker = builder.start();
        awaitIdle();
        worker.stop(PATIENCE); // the close of the factory stops a worker that is not idle
    }

    /**
     * Lets time pass. The clock stops at each message that becomes due for a worker, and waits until the workers are idle again, so a
     * handler runs at the time at which its message is due: a retry whose delay is a minute is handled a minute after the failure.
     *
     * <p>It stops at the occurrences of schedules too, if the factory has a runner of jobs. The runner looks at the schedules twice a second
     * by the clock. So a job is enqueued some seconds after its time, and time must pass for that: advance to a minute after the occurrence.
     *
     * @throws TestAbortedException if the storage has a clock of its own: the test is skipped
     * @throws AssertionError if the workers are not idle in 10 s of real time after one of the steps
     * @throws IllegalArgumentException if the duration is negative
     */
    public void advance(Duration duration) {
        SettableClock settable = clock();
        if (duration.isNegative()) {
            throw new IllegalArgumentException("time cannot go back: " + duration);
        }
        long end = settable.nanos() + duration.toNanos();
        awaitIdle();
        for (long left = duration.toNanos(); left > 0; left = end - settable.nanos()) {
            settable.advance(Duration.ofNanos(Math.min(left, nanosToNextStep(settable))));
            schedules.await(settable, end);
            awaitIdle();
        }
    }

    /** The time until the next message is due in a queue that has a worker, or the next schedule is. */
    private long nanosToNextStep(SettableClock settable) {
        Instant now = settable.wall();
        Stream<Instant> messages = idle.served().stream().flatMap(name -> queues.get(name).nextMaturity().stream());
        return Stream.concat(messages, schedules.next().stream())
                .filter(due -> due.isAfter(now))
                .mapToLong(due -> Duration.between(now, due).toNanos())
                .map(nanos -> Math.max(nanos, TimeUnit.MILLISECONDS.toNanos(1)))
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /**
     * Makes all scheduled messages of a queue due now, retries included. Works on storages with a clock of their own too.
     *
     * @return how many there were
     * @throws dev.jono.UnsupportedCapabilityException if the backend cannot edit messages
     */
    public int makeDue(MessageQueue<?> queue) {
        int changed = 0;
        for (BrowsedMessage<EncodedPayload> message : RawQueues.all(queues.get(queue.name()))) {
            if (message.state() == BrowsedMessage.State.SCHEDULED) {
                queue.reschedule(message.id(), Duration.ZERO);
                changed++;
            }
        }
        return changed;
    }

    /** The dead letters of all queues, those of jobs included. They stay where they are. */
    public List<Message<EncodedPayload>> deadLetters() {
        return queues.deadLetters();
    }

    /**
     * Removes and returns the dead letters of all queues, so that they do not fail the test.
     *
     * @throws dev.jono.UnsupportedCapabilityException if the backend cannot remove messages
     */
    public List<Message<EncodedPayload>> takeDeadLetters() {
        List<Message<EncodedPayload>> taken = new ArrayList<>(deadLetters());
        taken.forEach(message -> queues.get(message.queue()).remove(message.id()));
        return taken;
    }

    /** This test may leave dead letters. Needed only with {@link JonoTest}. */
    public void allowDeadLetters() {
        mayLeaveDeadLetters = true;
    }

    boolean mayLeaveDeadLetters() {
        return mayLeaveDeadLetters;
    }
}
