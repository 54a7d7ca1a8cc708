package dev.jono.dashboard.internal.live;

import dev.jono.JonoException;
import dev.jono.dashboard.internal.http.Answer;
import dev.jono.dashboard.internal.http.Json;
import dev.jono.dashboard.internal.http.ProblemException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Streams of server-sent events (HTML Living Standard, section 9.2). A stream looks at its topics each second and sends those that have
 * changed. The topics read samples that all viewers share, so more viewers cost the storage nothing. Thread-safe.
 */
public final class Streams {
    private static final int MAX_STREAMS = 64;
    private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** A stream without a reader is noticed when something is sent; and proxies cut connections that are silent. */
    private static final int STEPS_TO_BEAT = 5;
    /** Then the browser connects again, and is authenticated again. */
    private static final long MAX_STEPS = Duration.ofMinutes(10).toSeconds();

    private final AtomicInteger open = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private volatile boolean closed;

    /**
     * A stream of these topics.
     *
     * @param topics by name, what to send; called each second
     */
    public Answer stream(Map<String, Supplier<Object>> topics) {
        if (closed || open.get() >= MAX_STREAMS) {
            throw new ProblemException(503, "too many pages are live; this one is fetched again from time to time");
        }
        return Answer.stream("text/event-stream", out -> write(out, new LinkedHashMap<>(topics)))
                .with("X-Accel-Buffering", "no");
    }

    private void write(OutputStream out, Map<String, Supplier<Object>> topics) throws IOException {
        open.incrementAndGet();
        try {
            Map<String, String> sent = new HashMap<>();
            send(out, "retry: 3000\n\n");
            for (long step = 1; step <= MAX_STEPS && !closed; step++) {
                boolean silent = true;
                for (Map.Entry<String, Supplier<Object>> topic : topics.entrySet()) {
                    String data = data(topic.getValue());
                    if (!data.equals(sent.put(topic.getKey(), data))) {
                        send(out, "event: " + topic.getKey() + "\ndata: " + data + "\n\n");
                        silent = false;
                    }
                }
                if (silent && step % STEPS_TO_BEAT == 0) {
                    send(out, ":\n\n");
                }
                pause();
            }
        } finally {
            open.decrementAndGet();
        }
    }

    /** What a topic tells, on one line. A storage that is away is told too, and the stream goes on. */
    private static String data(Supplier<Object> topic) {
        try {
            return Json.text(topic.get());
        } catch (ProblemException e) {
            return Json.text(Map.of("problem", e.detail()));
        } catch (JonoException e) {
            return Json.text(Map.of("problem", "the storage does not answer"));
        }
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private void pause() {
        lock.lock();
        try {
            long left = STEP_NANOS;
            while (left > 0 && !closed) {
                left = closing.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true; // the server stops
        } finally {
            lock.unlock();
        }
    }

    /** Ends all streams. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            closing.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
