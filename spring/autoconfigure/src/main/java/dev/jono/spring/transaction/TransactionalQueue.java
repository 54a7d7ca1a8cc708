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
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A queue whose pushes wait for the commit, if their thread has a transaction of Spring. All other calls, and pushes without transaction, go
 * to the queue at once.
 *
 * @param <T> the type of the payloads
 */
public final class TransactionalQueue<T> implements InvocationHandler {
    private final MessageQueue<T> queue;

    private TransactionalQueue(MessageQueue<T> queue) {
        this.queue = queue;
    }

    /** Wraps a queue. */
    @SuppressWarnings("unchecked") // a proxy of the interface
    public static <T> MessageQueue<T> of(MessageQueue<T> queue) {
        return (MessageQueue<T>) Proxy.newProxyInstance(
                MessageQueue.class.getClassLoader(),
                new Class<?>[] {MessageQueue.class},
                new TransactionalQueue<>(queue));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (arguments != null && method.getName().startsWith("push") && isInTransaction()) {
            return later(method.getName(), arguments);
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

    private static boolean isInTransaction() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    @SuppressWarnings("unchecked") // the arguments are those of a push of this queue
    private Object later(String name, Object[] arguments) {
        PushOptions options = arguments.length > 1 ? (PushOptions) arguments[1] : PushOptions.none();
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
