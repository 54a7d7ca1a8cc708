package dev.jono.spring.mongo;

import com.mongodb.client.MongoClient;
import dev.jono.spring.SharedStorage;
import dev.jono.spring.transaction.TransactionSource;
import dev.jono.support.mongo.MongoStorage;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Offers the MongoDB client of the application to Jono. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration",
            "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration",
            // Spring Boot 3
            "org.springframework.boot.autoconfigure.mongo.MongoAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.mongo.MongoDataAutoConfiguration"
        })
@ConditionalOnClass({MongoStorage.class, MongoClient.class})
@ConditionalOnSingleCandidate(MongoClient.class)
public final class JonoMongoAutoConfiguration {
    @Bean
    @Lazy
    SharedStorage jonoMongoStorage(
            MongoClient client, Environment environment, ObjectProvider<DatabaseName> databases) {
        return new SharedMongo(client, environment.getProperty("jono.database"), databases);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MongoDatabaseFactory.class)
    static class OfSpringData {
        @Bean
        DatabaseName jonoDatabaseOfSpringData(ObjectProvider<MongoDatabaseFactory> databases) {
            return () -> {
                MongoDatabaseFactory database = databases.getIfUnique();
                return database == null ? null : database.getMongoDatabase().getName();
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({MongoDatabaseFactory.class, TransactionSynchronizationManager.class})
    static class Transactions {
        @Bean
        TransactionSource jonoMongoTransactions(ObjectProvider<MongoDatabaseFactory> databases) {
            return new MongoTransactionSource(databases);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MongoConnectionDetails.class)
    static class OfConnectionDetails {
        @Bean
        DatabaseName jonoDatabaseOfConnectionDetails(ObjectProvider<MongoConnectionDetails> connections) {
            return () -> {
                MongoConnectionDetails connection = connections.getIfUnique();
                return connection == null
                        ? null
                        : connection.getConnectionString().getDatabase();
            };
        }
    }
}
