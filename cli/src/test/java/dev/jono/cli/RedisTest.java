package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.testkit.server.RedisServer;
import org.junit.jupiter.api.Test;

/** The command on Redis, where nothing but the URL is another. */
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
}
