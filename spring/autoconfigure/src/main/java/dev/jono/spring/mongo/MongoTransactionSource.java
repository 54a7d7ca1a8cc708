package dev.jono.spring.mongo;

import com.mongodb.ClientSessionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import dev.jono.spring.transaction.TransactionSource;
import dev.jono.support.mongo.MongoTx;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.InfrastructureProxy;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoDatabaseUtils;

/** The transactions of Spring Data MongoDB. */
final class MongoTransactionSource implements TransactionSource {
    private static final Set<String> BACKENDS = Set.of("mongo", "ps-mongo", "pl-mongo");

    private final ObjectProvider<MongoDatabaseFactory> databases;

    MongoTransactionSource(ObjectProvider<MongoDatabaseFactory> databases) {
        this.databases = databases;
    }

    @Override
    public @Nullable Current find(String backend) {
        MongoDatabaseFactory database = BACKENDS.contains(backend) ? databases.getIfUnique() : null;
        if (database == null || !MongoDatabaseUtils.isTransactionActive(database)) {
            return null;
        }
        ClientSession session = new SessionFinder(database).find();
        return session == null ? null : new Current(session, MongoTx.of(session));
    }

    /**
     * Learns the session of the current transaction. Spring Data keeps it to itself, but passes it to the factory when it makes a
     * database for it; as a proxy this object stands for the factory that the transaction belongs to.
     */
    private static final class SessionFinder implements MongoDatabaseFactory, InfrastructureProxy {
        private final MongoDatabaseFactory factory;
        private @Nullable ClientSession session;

        SessionFinder(MongoDatabaseFactory factory) {
            this.factory = factory;
        }

        @Nullable ClientSession find() {
            MongoDatabaseUtils.getDatabase(this);
            return session;
        }

        @Override
        public Object getWrappedObject() {
            return factory;
        }

        @Override
        public MongoDatabaseFactory withSession(ClientSession found) {
            this.session = found;
            return factory.withSession(found);
        }

        @Override
        public MongoDatabase getMongoDatabase() {
            return factory.getMongoDatabase();
        }

        @Override
        public MongoDatabase getMongoDatabase(String name) {
            return factory.getMongoDatabase(name);
        }

        @Override
        public PersistenceExceptionTranslator getExceptionTranslator() {
            return factory.getExceptionTranslator();
        }

        @Override
        public ClientSession getSession(ClientSessionOptions options) {
            return factory.getSession(options);
        }
    }
}
