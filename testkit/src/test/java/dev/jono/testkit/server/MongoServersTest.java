package dev.jono.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("fault")
class MongoServersTest {
    private static Map<String, Object> insert(String value) {
        Map<String, Object> command = new LinkedHashMap<>();
        command.put("insert", "c");
        command.put("documents", List.of(Map.of("_id", value, "n", 1L)));
        command.put("writeConcern", Map.of("w", "majority", "j", true));
        return command;
    }

    private static Map<String, Object> count() {
        Map<String, Object> command = new LinkedHashMap<>();
        command.put("count", "c");
        // Without a query the count would be that of the last orderly shutdown.
        command.put("query", Map.of("n", 1L));
        return command;
    }

    @Test
    void standaloneServerKeepsItsDataOverKillAndSuspensionAndEndsWithoutTraces() {
        Path folder;
        long pid;
        try (MongoServer server = MongoServer.start()) {
            folder = server.folder();
            pid = server.pid();
            server.call("db", insert("väl"));
            assertThatThrownBy(() -> server.call("db", Map.of("noSuchCommand", 1)))
                    .hasMessageContaining("CommandNotFound");
            server.kill();
            assertThat(server.isAlive()).isFalse();
            assertThatThrownBy(() -> server.call("db", count())).isInstanceOf(UncheckedIOException.class);
            server.restart();
            assertThat(server.pid()).isNotEqualTo(pid);
            assertThat(server.call("db", count())).containsEntry("n", 1);
            server.suspend();
            assertThat(server.isAlive()).isTrue();
            server.resume();
            assertThat(server.call("db", count())).containsEntry("n", 1);
            pid = server.pid();
        }
        assertThat(folder).doesNotExist();
        assertThat(ProcessHandle.of(pid)).isEmpty();
    }

    @Test
    void wrongOptionIsToldWithTheServersWords() {
        MongoServer.Builder wrong = MongoServer.builder().option("noSuchOption", "1");
        assertThatThrownBy(wrong::start).hasMessageContaining("noSuchOption");
    }

    @Test
    void threeNodesOutliveTheirPrimaryAndAStepDown() {
        try (MongoReplicaSet set = MongoReplicaSet.start(3)) {
            assertThat(set.uri("db"))
                    .matches("mongodb://127.0.0.1:\\d+,127.0.0.1:\\d+,127.0.0.1:\\d+/db\\?replicaSet=jono");
            MongoServer old = set.awaitPrimary();
            old.call("db", insert("a"));
            old.kill();
            MongoServer now = set.awaitFailoverFrom(old);
            assertThat(now.call("db", count())).containsEntry("n", 1);
            old.restart();
            now.call("db", insert("b"));
            MongoServer last = set.stepDown();
            assertThat(last).isNotSameAs(now);
            assertThat(last.call("db", count())).containsEntry("n", 2);
        }
    }

    @Test
    void sharedServersAreOneEach() {
        assertThat(MongoReplicaSet.sharedUri("a"))
                .isEqualTo(MongoReplicaSet.sharedUri("a"))
                .contains("/a?");
        assertThat(MongoServer.sharedUri("b"))
                .isEqualTo(MongoServer.sharedUri("b"))
                .contains("/b");
    }

    @Test
    void databaseOfAUriIsReplaced() {
        assertThat(SharedMongo.withDatabase("mongodb://u:p@h:1,g/x?replicaSet=r", "y"))
                .isEqualTo("mongodb://u:p@h:1,g/y?replicaSet=r");
        assertThat(SharedMongo.withDatabase("mongodb://h", "y")).isEqualTo("mongodb://h/y");
        assertThat(SharedMongo.withDatabase("mongodb://h/?a=b", "y")).isEqualTo("mongodb://h/y?a=b");
    }
}
