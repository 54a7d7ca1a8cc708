package dev.jono.spring.transaction;

import dev.jono.MessageQueue;
import dev.jono.Tx;
import org.jspecify.annotations.Nullable;

/** Finds transactions of Spring that pushes can join: those of one kind of database. Called on the thread of the transaction. */
@FunctionalInterface
public interface TransactionSource {
    /**
     * A transaction of the current thread.
     *
     * @param resource names the connection of the transaction; the same object as long as it lasts
     * @param tx for {@link dev.jono.PushOptions#in}
     */
    record Current(Object resource, Tx tx) {}

    /**
     * The current transaction.
     *
     * @param backend the type of the backend, such as {@code sqlite}, see {@link MessageQueue#backend}
     * @return null if there is none on this kind of database, or the backend is on another kind
     */
    @Nullable Current find(String backend);
}
