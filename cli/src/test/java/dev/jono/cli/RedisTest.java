package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.testkit.server.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The command on Redis, where only the URL differs. */
class RedisTest {
    private final String redis = RedisServer.sharedUri();

    @Test
    void a_message_goes_from_one_process_to_another() throws Exception {
        String url = "redis-oq:" + redis;
        assertThat(Jono.runChild("push", url, "cli", "{\"a\":[]}").code()).isEqualTo(Exit.DONE);
        Jono.run("push", url, "cli", "2", "--delay", "1h").ended(Exit.DONE);

        JsonNode info = Jono.run("info", url, "cli").ended(Exit.DONE).one();
        assertThat(info.get("type").textValue()).isEqualTo("redis-oq");
        assertThat(info.get("size").intValue()).isEqualTo(1);
        assertThat(info.get("scheduled").intValue()).isEqualTo(1);

        JsonNode held = Jono.run("reserve", url, "cli", "--then", "hold")
                .ended(Exit.DONE)
                .one();
        assertThat(held.get("payload")).isEqualTo(Jono.read("{\"a\":[]}"));
        assertThat(Jono.runChild("settle", url, "cli", held.get("receipt").textValue(), "--as", "ack")
                        .code())
                .isEqualTo(Exit.DONE);
        Jono.run("purge", url, "cli", "--yes").ended(Exit.DONE);
        assertThat(Jono.run("info", url, "cli")
                        .ended(Exit.DONE)
                        .one()
                        .get("total")
                        .intValue())
                .isZero();
    }

    @Test
    void a_list_pops_and_refuses_to_reserve_in_one_line() {
        String url = "redis-list:" + redis;
        Jono.run("push", url, "cli-list", "1", "2").ended(Exit.DONE);
        assertThat(Jono.run("pop", url, "cli-list", "--all").ended(Exit.DONE).lines())
                .hasSize(2);

        Jono.Run refused = Jono.run("reserve", url, "cli-list", "--then", "ack").ended(Exit.ERROR);
        assertThat(refused.err().lines()).hasSize(1);
        assertThat(refused.err()).contains("redis-list", "RESERVE");
    }

    @Test
    void a_pause_that_a_full_redis_refuses_says_why() {
        try (RedisServer full = RedisServer.start()) {
            String url = "redis-oq:" + full.uri();
            Jono.run("push", url, "q", "1").ended(Exit.DONE);
            full.call("CONFIG", "SET", "maxmemory", "1");

            assertThat(Jono.run("pause", url, "q").ended(Exit.ERROR).err().lines())
                    .singleElement()
                    .asString()
                    .contains("paused flag", "'q'", "its memory is full", "maxmemory");
        }
    }

    @Test
    void a_unix_socket_carries_messages() throws Exception {
        assumeThat(System.getProperty("os.name") + " " + System.getProperty("os.arch"))
                .as("the system whose native transport comes with the command")
                .isEqualTo("Linux amd64");
        Path folder = Files.createTempDirectory("jono"); // short, because the path of a socket has at most 107 bytes
        String socket = folder.resolve("s").toString();
        try (RedisServer redis =
                RedisServer.builder().option("unixsocket", socket).start()) {
            assertThat(redis.isAlive()).isTrue();
            String url = "redis-oq:redis-socket://" + socket;
            assertThat(Jono.runChild("push", url, "q", "1"))
                    .satisfies(run ->
                            assertThat(run.ended(Exit.DONE).err().lines()).hasSize(1));
            assertThat(Jono.runChild("pop", url, "q").ended(Exit.DONE).one().get("payload"))
                    .isEqualTo(Jono.read("1"));
        } finally {
            Files.deleteIfExists(Path.of(socket));
            Files.delete(folder);
        }
    }
}
