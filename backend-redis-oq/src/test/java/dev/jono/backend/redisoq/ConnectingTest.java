package dev.jono.backend.redisoq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.ConfigurationException;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.StorageException;
import dev.jono.support.redis.RedisStorage;
import dev.jono.testkit.server.RedisCluster;
import dev.jono.testkit.server.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The ways to connect to Redis, with backend, signaller and stats together. */
@Execution(ExecutionMode.SAME_THREAD) // these share or start servers
class ConnectingTest {
    /** A push of one client wakes another, and both see the counters. */
    private static void works(QueueFactory jono, QueueFactory other) {
        MessageQueue<String> queue = jono.queue("orders", Codec.string());
        MessageQueue<String> same = other.queue("orders", Codec.string());
        CompletableFuture<Optional<Message<String>>> waiting = same.popAsync(Duration.ofSeconds(60));
        queue.push("a");
        Awaitility.await("the signal").until(waiting::isDone);
        assertThat(waiting.join()).map(Message::payload).contains("a");
        same.pause();
        Awaitility.await("the pause").until(queue::isPaused);
        same.resume();
        Awaitility.await("the counters")
                .until(() -> queue.stats().pushed() == 1 && queue.stats().popped() == 1);
    }

    private static void works(String uri) {
        try (QueueFactory jono = QueueFactory.connect("redis-oq:" + uri);
                QueueFactory other = QueueFactory.connect("redis-oq:" + uri)) {
            works(jono, other);
        }
    }

    private static void refused(String uri, String... words) {
        assertThatThrownBy(() -> QueueFactory.connect("redis-oq:" + uri))
                .isInstanceOf(StorageException.class)
                .hasMessageNotContaining("hunter2")
                .satisfies(failure -> assertThat(failure.getMessage()).contains(words));
    }

    @Test
    void tlsIsVerifiedUnlessTheUriSaysOtherwise(@TempDir Path folder) throws Exception {
        Certificate certificate = Certificate.make(folder, "localhost");
        try (RedisServer redis = RedisServer.builder()
                .tls(certificate.pem(), certificate.key())
                .password("hunter2")
                .start()) {
            String address = "rediss://:hunter2@localhost:" + redis.tlsPort();
            refused(address, "certificat");
            refused(address + "?verifyPeer=CA", "certificat");
            works(address + "?verifyPeer=NONE&jono.prefix=tls:");
            refused("redis://:hunter2@localhost:" + redis.tlsPort() + "?jono.timeout=1s", "localhost");

            SslOptions trusting = SslOptions.builder()
                    .truststore(certificate.trust().toFile(), Certificate.PASSWORD)
                    .build();
            RedisClient own = RedisClient.create(RedisURI.create(address));
            own.setOptions(ClientOptions.builder().sslOptions(trusting).build());
            try (QueueFactory jono = handedIn(RedisStorage.of(own))) {
                works(jono, jono);
            } finally {
                own.shutdown();
            }
        }
    }

    @Test
    void hostThatTheCertificateDoesNotNameIsRefused(@TempDir Path folder) throws Exception {
        Certificate certificate = Certificate.make(folder, "elsewhere");
        try (RedisServer redis =
                RedisServer.builder().tls(certificate.pem(), certificate.key()).start()) {
            SslOptions trusting = SslOptions.builder()
                    .truststore(certificate.trust().toFile(), Certificate.PASSWORD)
                    .build();
            RedisURI full = RedisURI.create("rediss://localhost:" + redis.tlsPort());
            RedisURI authority = RedisURI.create("rediss://localhost:" + redis.tlsPort() + "?verifyPeer=CA");
            RedisClient own = RedisClient.create();
            own.setOptions(ClientOptions.builder().sslOptions(trusting).build());
            try {
                assertThatThrownBy(() -> handedIn(RedisStorage.of(own, full)))
                        .isInstanceOf(StorageException.class)
                        .hasMessageContaining("localhost");
                try (QueueFactory jono = handedIn(RedisStorage.of(own, authority))) {
                    works(jono, jono);
                }
            } finally {
                own.shutdown();
            }
        }
    }

    private static QueueFactory handedIn(RedisStorage storage) {
        return QueueFactory.builder("redis-oq:?jono.prefix=own:")
                .storage(storage)
                .connect();
    }

    @Test
    void clientThatWasHandedInServesAllAndStaysOpen() {
        try (RedisServer redis = RedisServer.start()) {
            RedisClient own = RedisClient.create(redis.uri());
            try {
                try (QueueFactory jono = handedIn(RedisStorage.of(own))) {
                    works(jono, jono);
                    assertThat(redis.callForList("KEYS", "own:keuss:*")).isNotEmpty();
                    assertThat(redis.info("connected_clients"))
                            .as("commands, subscriptions, and this test's own")
                            .isEqualTo("3");
                }
                Awaitility.await("Jono's connections to end")
                        .until(() -> redis.info("connected_clients").equals("1"));
                try (var connection = own.connect()) {
                    assertThat(connection.sync().ping())
                            .as("the client is open")
                            .isEqualTo("PONG");
                }
                try (QueueFactory again = handedIn(RedisStorage.of(own))) {
                    assertThat(again.queue("orders", Codec.string()).totalSize())
                            .isZero();
                }
            } finally {
                own.shutdown();
            }
        }
    }

    @Test
    void clusterClientThatWasHandedInServesAllAndStaysOpen() {
        RedisClusterClient own = RedisClusterClient.create("redis://"
                + RedisCluster.sharedUri().substring("redis://".length()).split(",", 2)[0]);
        try {
            try (QueueFactory jono = handedIn(RedisStorage.of(own))) {
                works(jono, jono);
            }
            try (var connection = own.connect()) {
                assertThat(connection.sync().ping()).isEqualTo("PONG");
            }
        } finally {
            own.shutdown();
        }
    }

    @Test
    void serverInTheUrlInAdditionToAClientIsRefused() {
        RedisClient own = RedisClient.create("redis://127.0.0.1:1");
        try {
            assertThatThrownBy(() -> QueueFactory.builder("redis-oq:redis://elsewhere")
                            .storage(RedisStorage.of(own))
                            .connect())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("handed in");
        } finally {
            own.shutdown();
        }
    }

    @Test
    void userPasswordAndDatabaseAreThoseOfTheUri() {
        try (RedisServer redis =
                RedisServer.builder().users("user me on >hunter2 ~* &* +@all").start()) {
            works("redis://me:hunter2@" + redis.address() + "/3");
            assertThat(redis.callForList("KEYS", "*")).as("in database 0").isEmpty();
            assertThat(redis.info("db3")).contains("keys=");
            refused("redis://me:hunter22@" + redis.address(), "WRONGPASS", "***@" + redis.address());
            refused("redis://you:hunter2@" + redis.address(), "WRONGPASS");
            refused("redis://me:hunter2@" + redis.address() + "/99", "DB index");
        }
        try (RedisServer redis = RedisServer.builder().password("hunter2").start()) {
            works("redis://:hunter2@" + redis.address());
            refused("redis://" + redis.address(), "NOAUTH");
        }
    }

    @Test
    void wrongPasswordOnAClusterIsReported() {
        refused(RedisCluster.sharedUri().replace("redis://", "redis://me:hunter2@") + "?jono.timeout=2s", "WRONGPASS");
    }

    @Test
    void socketWithoutANativeTransportIsRefusedWithTheReason() {
        refused("redis-socket:///nowhere/redis.sock", "/nowhere/redis.sock");
    }
}
