package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Storage;
import dev.jono.spring.mongo.JonoMongoAutoConfiguration;
import dev.jono.spring.redis.JonoRedisAutoConfiguration;
import dev.jono.support.redis.RedisStorage;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Without {@code jono.url}, queues are on the connection of the application, or where a bean says. */
class ConnectionOfApplicationTest {
    private final String own = "jono_test_" + UUID.randomUUID().toString().substring(0, 13);

    private ApplicationContextRunner redis() {
        return Contexts.empty()
                .withConfiguration(
                        AutoConfigurations.of(DataRedisAutoConfiguration.class, JonoRedisAutoConfiguration.class))
                .withPropertyValues(
                        "spring.data.redis.url=" + RedisServer.sharedUri(), "jono.options.prefix=" + own + ":");
    }

    private ApplicationContextRunner mongo() {
        return Contexts.empty()
                .withConfiguration(AutoConfigurations.of(
                        MongoAutoConfiguration.class,
                        DataMongoAutoConfiguration.class,
                        JonoMongoAutoConfiguration.class))
                .withPropertyValues("spring.mongodb.uri=" + MongoReplicaSet.sharedUri(own));
    }

    private static void pushAndAck(QueueFactory jono) throws InterruptedException {
        MessageQueue<String> queue = jono.queue("orders", String.class);
        queue.push("a");
        queue.reserve(Duration.ofSeconds(5)).orElseThrow().ack();
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void redis_oqUsesTheRedisOfTheApplication() {
        redis().run(context -> {
            QueueFactory jono = context.getBean(QueueFactory.class);
            assertThat(jono.backend()).isEqualTo("redis-oq");
            jono.queue("kept", String.class).push("a");
            assertThat(context.getBean(StringRedisTemplate.class).keys(own + ":*"))
                    .isNotEmpty();
            pushAndAck(jono);
        });
    }

    @Test
    void theBackendCanBeChosen() {
        redis().withPropertyValues("jono.backend=redis-list")
                .run(context -> assertThat(context.getBean(QueueFactory.class).backend())
                        .isEqualTo("redis-list"));
    }

    @Test
    void aRedisThatIsNotForQueuesStaysUnused() {
        redis().withPropertyValues("jono.url=memory:", "jono.options.prefix=")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("jono.options"));
    }

    @Test
    void mongoUsesTheClientAndTheDatabaseOfTheApplication() {
        mongo().run(context -> {
            QueueFactory jono = context.getBean(QueueFactory.class);
            assertThat(jono.backend()).isEqualTo("mongo");
            pushAndAck(jono);
            com.mongodb.client.MongoClient client = context.getBean(com.mongodb.client.MongoClient.class);
            assertThat(client.getDatabase(own).listCollectionNames()).contains("orders");
            client.getDatabase(own).drop();
        });
    }

    @Test
    void aNameThatNoDatabaseCanHaveIsRefusedWithItsProperty() {
        mongo().withPropertyValues("jono.database=a b")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(
                                InvalidConfigurationPropertyValueException.class,
                                invalid -> assertThat(invalid.getName()).isEqualTo("jono.database")));
    }

    @Test
    void ofTwoConnectionsOneMustBeChosen() {
        ApplicationContextRunner both = mongo().withConfiguration(
                        AutoConfigurations.of(DataRedisAutoConfiguration.class, JonoRedisAutoConfiguration.class))
                .withPropertyValues("spring.data.redis.url=" + RedisServer.sharedUri());
        both.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("jono.backend=mongo or jono.backend=redis-oq"));
        both.withPropertyValues("jono.backend=mongo")
                .run(context -> assertThat(context.getBean(QueueFactory.class).backend())
                        .isEqualTo("mongo"));
    }

    /** As Testcontainers or Docker Compose can declare it. */
    @Test
    void aBeanReplacesTheUrl() {
        String url = "redis-oq:" + RedisServer.sharedUri() + "?jono.prefix=" + own + ":";
        assertReplaced(() -> url);
    }

    @Test
    void aBeanReplacesTheUrlByAClientOfTheApplication() {
        try (RedisClient client = RedisClient.create(RedisServer.sharedUri())) {
            assertReplaced(new JonoConnectionDetails() {
                @Override
                public String getUrl() {
                    return "redis-oq:?jono.prefix=" + own + ":";
                }

                @Override
                public Storage getStorage() {
                    return RedisStorage.of(client);
                }
            });
            try (StatefulRedisConnection<String, String> connection = client.connect()) {
                assertThat(connection.sync().ping()).as("not closed by Jono").isEqualTo("PONG");
            }
        }
    }

    private void assertReplaced(JonoConnectionDetails details) {
        Contexts.inMemory()
                .withBean("details", JonoConnectionDetails.class, () -> details)
                .run(context -> {
                    QueueFactory jono = context.getBean(QueueFactory.class);
                    assertThat(jono.backend()).isEqualTo("redis-oq");
                    pushAndAck(jono);
                    jono.queue("kept", String.class).push("a");
                });
        try (RedisClient client = RedisClient.create(RedisServer.sharedUri());
                StatefulRedisConnection<String, String> connection = client.connect()) {
            assertThat(connection.sync().keys(own + ":*")).isNotEmpty();
        }
    }
}
