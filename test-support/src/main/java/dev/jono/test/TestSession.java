package dev.jono.test;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueFactoryBuilder;
import dev.jono.testkit.SettableClock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The factory of one test, from its opening to its close. Used by the thread of the test. */
final class TestSession {
    private static final long CLOSE_STEP_MILLIS = 20;
    private static final Duration CLOSE_STEP = Duration.ofSeconds(1);

    private final TestStorage storage;
    private final boolean failOnDeadLetters;
    private final QueueFactory factory;
    private final @Nullable SettableClock clock;
    private final JonoTester tester;

    /** Whether the test has used jobs. */
    private boolean withJobs;

    private TestSession(
            TestStorage storage, boolean failOnDeadLetters, QueueFactory factory, @Nullable SettableClock clock) {
        this.storage = storage;
        this.failOnDeadLetters = failOnDeadLetters;
        this.factory = factory;
        this.clock = clock;
        this.tester = new JonoTester(factory, clock);
    }

    /**
     * Opens a factory.
     *
     * @throws AssertionError if the storage has queues already
     */
    static TestSession open(
            TestStorage storage, boolean failOnDeadLetters, UnaryOperator<QueueFactoryBuilder> settings) {
        SettableClock clock = storage.hasSettableClock() ? new SettableClock() : null;
        QueueFactoryBuilder builder = QueueFactory.builder(storage.url());
        if (clock != null) {
            builder.clock(clock);
        }
        TestSession session = new TestSession(
                storage, failOnDeadLetters, settings.apply(builder).connect(), clock);
        session.requireEmpty();
        return session;
    }

    private void requireEmpty() {
        List<String> queues = factory.queues();
        if (!queues.isEmpty()) {
            factory.close();
            throw new AssertionError(
                    "the storage of the test already has queues, and a test deletes the queues of its storage: "
                            + queues
                            + ". Delete them, or use a storage of the test's own, such as a URL with {id} or {dir}");
        }
    }

    JonoTester tester() {
        return tester;
    }

    /** The jobs of the factory. The type is hidden, because {@code jono-jobs} is optional. */
    Object jobs() {
        withJobs = true;
        return JobsAccess.of(factory);
    }

    /**
     * Closes the factory, and deletes what the test has stored.
     *
     * @throws AssertionError if dead letters are left that should not be there
     */
    void close() {
        List<Message<EncodedPayload>> left =
                failOnDeadLetters && !tester.mayLeaveDeadLetters() ? tester.deadLetters() : List.of();
        try {
            closeFactory();
        } finally {
            if (!storage.isOfOneFactory()) {
                clean();
            }
            storage.deleteFolder();
        }
        if (!left.isEmpty()) {
            throw new AssertionError("the test has left " + left.size() + " dead letters: "
                    + left.stream().map(TestSession::describe).collect(Collectors.joining("; "))
                    + ". Consume them, or allow them with JonoTester.allowDeadLetters()");
        }
    }

    private static String describe(Message<?> deadLetter) {
        Headers headers = deadLetter.headers();
        return "message " + deadLetter.id() + " of queue '" + headers.string(Headers.DL_FROM_QUEUE) + "', reason "
                + headers.string(Headers.DL_REASON) + ", error " + headers.string(Headers.DL_ERROR);
    }

    /** A close can wait for a handler, up to the operation timeout. It measures that with the clock, which must not stand still. */
    private void closeFactory() {
        if (clock == null) {
            factory.close();
            return;
        }
        CompletableFuture<Void> closing = CompletableFuture.runAsync(factory::close, task -> {
            Thread thread = new Thread(task, "jono-test-close");
            thread.setDaemon(true);
            thread.start();
        });
        boolean closed = false;
        while (!closed) {
            closed = isDone(closing);
            if (!closed) {
                clock.advance(CLOSE_STEP);
            }
        }
    }

    private static boolean isDone(CompletableFuture<Void> closing) {
        try {
            closing.get(CLOSE_STEP_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException running) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while the factory was closed", e);
        } catch (ExecutionException failed) {
            throw new AssertionError("the factory could not be closed", failed.getCause());
        }
    }

    private void clean() {
        try (QueueFactory cleaner = QueueFactory.connect(storage.url())) {
            if (withJobs) {
                JobsAccess.clean(cleaner);
            }
            for (String name : cleaner.queues()) {
                MessageQueue<EncodedPayload> queue = cleaner.queue(name, Codec.raw());
                if (queue.capabilities().contains(Capability.DELETE)) {
                    queue.deleteWithMessages();
                } else {
                    queue.purge();
                }
            }
        }
    }
}
