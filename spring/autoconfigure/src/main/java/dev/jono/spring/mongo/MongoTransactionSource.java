package dev.jono.spring.mongo;

import com.mongodb.ClientSessionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import dev.jono.spring.transaction.TransactionSource;
import dev.jono.support.mongo.MongoTx;
import java.util.ArrayList;
import java.util.List;
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
    public List<Current> find(String backend) {
        if (!BACKENDS.contains(backend)) {
            return List.of();
        }
        List<Current> found = new ArrayList<>();
        for (MongoDatabaseFactory each : databases.stream().toList()) {
            ClientSession session =
                    MongoDatabaseUtils.isTransactionActive(each) ? new SessionFinder(each).find() : null;
            if (session != null) {
                found.add(new Current(each, session, MongoTx.of(session)));
            }
        }
        return found;
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
