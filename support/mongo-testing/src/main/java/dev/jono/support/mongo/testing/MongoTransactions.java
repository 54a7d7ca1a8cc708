package dev.jono.support.mongo.testing;

import com.mongodb.client.ClientSession;
import dev.jono.Storage;
import dev.jono.Tx;
import dev.jono.support.mongo.MongoStorage;
import dev.jono.support.mongo.MongoTx;
import dev.jono.testkit.TestTransactions;
import java.util.Optional;

/**
 * Transactions of an application on a database of the shared replica set.
 *
 * @param url of a client that uses the connection of the application
 */
record MongoTransactions(String url, String database) implements TestTransactions {
    @Override
    public Optional<Storage> storage() {
        return Optional.of(MongoStorage.of(TestDatabases.client(), database));
    }

    @Override
    public Open begin() {
        ClientSession session = TestDatabases.client().startSession();
        session.startTransaction();
        return new Begun(session, MongoTx.of(session));
    }

    private record Begun(ClientSession session, Tx tx) implements Open {
        @Override
        public void commit() {
            session.commitTransaction();
        }

        @Override
        public void rollback() {
            session.abortTransaction();
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
