package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.testkit.ChildJvm;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.RedisServer;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Closing a factory ends its threads and sockets at once. An application that is removed from its server leaves no
 * class behind.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosedFactoryTest {
    /** Every collection clears the soft references too, as if the memory were full. */
    private static final String NO_SOFT_REFERENCES = "-XX:SoftRefLRUPolicyMSPerMB=0";

    @TempDir
    Path folder;

    @Test
    void memoryLeavesNothing() {
        assertNothingIsLeft("memory:" + UUID.randomUUID());
    }

    @Test
    void sqliteLeavesNothing() {
        assertNothingIsLeft("sqlite:" + folder.resolve("queues.db"));
    }

    @Test
    void redisOqLeavesNothing() {
        assertNothingIsLeft("redis-oq:" + RedisServer.sharedUri() + "?jono.prefix=" + UUID.randomUUID());
    }

    @Test
    void redisListLeavesNothing() {
        assertNothingIsLeft("redis-list:" + RedisServer.sharedUri() + "?jono.prefix=" + UUID.randomUUID());
    }

    @Test
    void mongoLeavesNothing() {
        assertNothingIsLeft("mongo:" + MongoReplicaSet.sharedUri(database()) + "&jono.one-database=true");
    }

    @Test
    void bucketMongoLeavesNothing() {
        assertNothingIsLeft("bucket-mongo-safe:" + MongoReplicaSet.sharedUri(database()) + "&jono.one-database=true");
    }

    private static String database() {
        return "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
    }

    private static void assertNothingIsLeft(String url) {
        try (ChildJvm server = ChildJvm.start(List.of(NO_SOFT_REFERENCES), AppServer.class, url)) {
            server.await("the server's report", child -> child.lines().size() >= 3);
            assertThat(server.lines()).containsExactly("threads []", "sockets 0", "collected");
        }
    }
}
