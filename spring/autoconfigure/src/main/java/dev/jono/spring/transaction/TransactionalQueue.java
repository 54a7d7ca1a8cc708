package dev.jono.spring.transaction;

import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A queue whose pushes join the transaction of Spring that their thread has, or wait for its commit if they cannot join it. All other
 * calls, and pushes without transaction, go to the queue at once.
 *
 * @param <T> the type of the payloads
 */
public final class TransactionalQueue<T> implements InvocationHandler {
    private final MessageQueue<T> queue;
    private final JoinedTransactions joined;

    private TransactionalQueue(MessageQueue<T> queue, JoinedTransactions joined) {
        this.queue = queue;
        this.joined = joined;
    }

    /** Wraps a queue. */
    @SuppressWarnings("unchecked") // a proxy of the interface
    public static <T> MessageQueue<T> of(MessageQueue<T> queue, JoinedTransactions joined) {
        return (MessageQueue<T>) Proxy.newProxyInstance(
                MessageQueue.class.getClassLoader(),
                new Class<?>[] {MessageQueue.class},
                new TransactionalQueue<>(queue, joined));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (arguments != null && method.getName().startsWith("push") && JoinedTransactions.isActive()) {
            Object result = join(method.getName(), arguments);
            return result != null ? result : later(method.getName(), arguments);
        }
        if (method.getName().equals("equals") && arguments != null) {
            return proxy == arguments[0];
        }
        try {
            return method.invoke(queue, arguments);
        } catch (InvocationTargetException failed) {
            throw Objects.requireNonNullElse(failed.getCause(), failed);
        }
    }

    /** Pushes in the current transaction, on this thread also if the push is async; null if it cannot join it. */
    @SuppressWarnings("unchecked") // the arguments are those of a push of this queue
    private @Nullable Object join(String name, Object[] arguments) {
        PushOptions options = options(arguments);
        Object payload = Objects.requireNonNull(arguments[0], "payload");
        Object pushed = options.tx().isPresent()
                ? null
                : joined.run(
                        queue.backend(),
                        tx -> name.startsWith("pushAll")
                                ? queue.pushAll((List<T>) payload, options.in(tx))
                                : queue.push((T) payload, options.in(tx)));
        return pushed == null ? null : result(name, pushed);
    }

    private static PushOptions options(Object[] arguments) {
        return arguments.length > 1 ? (PushOptions) arguments[1] : PushOptions.none();
    }

    @SuppressWarnings("unchecked") // the arguments are those of a push of this queue
    private Object later(String name, Object[] arguments) {
        PushOptions options = options(arguments);
        Object payload = Objects.requireNonNull(arguments[0], "payload");
        if (name.startsWith("pushAll")) {
            List<T> payloads = List.copyOf((List<T>) payload);
            PushesAfterCommit.ofTransaction().add(() -> queue.pushAllAsync(payloads, options));
            return result(name, Collections.nCopies(payloads.size(), PushResult.deferred()));
        }
        PushesAfterCommit.ofTransaction().add(() -> queue.pushAsync((T) payload, options));
        return result(name, PushResult.deferred());
    }

    private static Object result(String name, Object result) {
        return name.endsWith("Async") ? CompletableFuture.completedFuture(result) : result;
    }
}
