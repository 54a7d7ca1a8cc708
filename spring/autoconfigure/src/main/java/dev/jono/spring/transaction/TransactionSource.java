package dev.jono.spring.transaction;

import dev.jono.MessageQueue;
import dev.jono.Tx;
import java.util.List;

/** Finds transactions of Spring that pushes can join: those of one kind of database. Called on the thread of the transaction. */
@FunctionalInterface
public interface TransactionSource {
    /**
     * A transaction of the current thread.
     *
     * @param origin what the connection comes from, such as a {@code DataSource}
     * @param resource names the connection of the transaction; the same object as long as it lasts
     * @param tx for {@link dev.jono.PushOptions#in}
     */
    record Current(Object origin, Object resource, Tx tx) {}

    /**
     * The current transactions of the thread: one for each database that it uses.
     *
     * @param backend the type of the backend, such as {@code sqlite}, see {@link MessageQueue#backend}
     * @return none if the backend is on another kind of database
     */
    List<Current> find(String backend);
}
