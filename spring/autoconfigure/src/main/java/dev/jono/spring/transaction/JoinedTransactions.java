package dev.jono.spring.transaction;

import dev.jono.OtherStorageException;
import dev.jono.Tx;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Lets pushes join the current transaction of Spring, if it is on the storage of the queue, and reports its end to Jono. Used on the
 * threads of transactions. Thread-safe.
 */
public final class JoinedTransactions {
    private final List<TransactionSource> sources;

    /** Where connections come from that are not to the database of the queues. */
    private final Set<Object> others = ConcurrentHashMap.newKeySet();

    /** Of these databases. */
    public JoinedTransactions(List<TransactionSource> sources) {
        this.sources = List.copyOf(sources);
    }

    /** Whether the current thread has a transaction of Spring. */
    static boolean isActive() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
    }

    /**
     * Runs a step in the current transaction.
     *
     * @param backend the type of the backend of the queue
     * @param step must push, and nothing before it
     * @return the result of the step; null if there is no transaction that it can join: then it has done nothing
     */
    public <R> @Nullable R run(String backend, Function<Tx, R> step) {
        if (!isActive()) {
            return null;
        }
        for (TransactionSource source : sources) {
            for (TransactionSource.Current current : source.find(backend)) {
                if (others.contains(current.origin())) {
                    continue;
                }
                try {
                    return step.apply(Ended.of(current).tx);
                } catch (OtherStorageException other) {
                    others.add(current.origin());
                }
            }
        }
        return null;
    }

    /** Reports the end of one transaction. */
    private static final class Ended implements TransactionSynchronization {
        private final Object resource;
        private final Tx tx;

        private Ended(TransactionSource.Current current) {
            this.resource = current.resource();
            this.tx = current.tx();
        }

        /** That of a transaction; registers it at the first push. */
        static Ended of(TransactionSource.Current current) {
            for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
                if (each instanceof Ended ended && ended.resource == current.resource()) {
                    return ended;
                }
            }
            Ended made = new Ended(current);
            TransactionSynchronizationManager.registerSynchronization(made);
            return made;
        }

        @Override
        public void afterCompletion(int status) {
            if (status == STATUS_ROLLED_BACK) {
                tx.rolledBack();
            } else {
                tx.committed();
            }
        }
    }
}
