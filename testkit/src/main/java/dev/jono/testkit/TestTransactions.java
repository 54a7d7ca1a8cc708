package dev.jono.testkit;

import dev.jono.Storage;
import dev.jono.Tx;
import java.util.Optional;

/** Begins transactions of an application on the storage of a {@link ContractSetup}, for the tests of pushes that join them. */
public interface TestTransactions {
    /** Begins a transaction. */
    Open begin();

    /**
     * The connection that a client must use to join the transactions, with the URL of {@link #url()}; empty if any client can
     * join them.
     */
    default Optional<Storage> storage() {
        return Optional.empty();
    }

    /** The URL of a client that gets the {@link #storage()}. */
    default String url() {
        throw new IllegalStateException("no storage is handed in");
    }

    /** Whether other writes to the storage wait for the end of a transaction. */
    default boolean blocksOthers() {
        return false;
    }

    /** A transaction that has not ended. Used by one thread. */
    interface Open extends AutoCloseable {
        /** The transaction as a push gets it. */
        Tx tx();

        /** Commits, without telling {@link #tx()} of it. */
        void commit();

        /** Rolls back, without telling {@link #tx()} of it. */
        void rollback();

        /** Rolls back what was not committed, and closes the connection. */
        @Override
        void close();
    }
}
