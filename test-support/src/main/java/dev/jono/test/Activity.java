package dev.jono.test;

import dev.jono.Interceptor;
import dev.jono.Message;
import dev.jono.OutgoingMessage;
import dev.jono.PushResult;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Counts the handlers that run, and all steps that can change what workers have to do. Thread-safe. */
final class Activity implements Interceptor {
    private final AtomicLong steps = new AtomicLong();
    private final AtomicInteger running = new AtomicInteger();

    @Override
    public void pushed(OutgoingMessage message, @Nullable PushResult result, @Nullable Throwable failure) {
        steps.incrementAndGet();
    }

    @Override
    public void handleAll(List<? extends Message<?>> messages, Handling handling) throws Exception {
        running.incrementAndGet();
        steps.incrementAndGet();
        try {
            handling.proceed();
        } finally {
            steps.incrementAndGet();
            running.decrementAndGet();
        }
    }

    /** A number that grows with each push and with each begin and end of a handler. */
    long steps() {
        return steps.get();
    }

    /** How many handlers run. */
    int running() {
        return running.get();
    }
}
