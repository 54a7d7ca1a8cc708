package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.testkit.server.MongoReplicaSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The command on MongoDB, where only the URL differs. */
class MongoTest {
    @Test
    void a_message_goes_from_one_process_to_another() throws Exception {
        String url = "mongo:" + MongoReplicaSet.sharedUri("jono_test_cli")
                + (MongoReplicaSet.sharedUri("").contains("?") ? "&" : "?") + "jono.one-database=true";
        String queue = "cli" + UUID.randomUUID();
        assertThat(Jono.runChild("push", url, queue, "{\"a\":[]}").code()).isEqualTo(Exit.DONE);
        JsonNode info = Jono.run("info", url, queue).ended(Exit.DONE).one();
        assertThat(info.get("type").textValue()).isEqualTo("mongo");
        assertThat(info.get("size").intValue()).isEqualTo(1);
        JsonNode held = Jono.run("reserve", url, queue, "--then", "hold")
                .ended(Exit.DONE)
                .one();
        assertThat(held.get("payload")).isEqualTo(Jono.read("{\"a\":[]}"));
        assertThat(Jono.runChild("settle", url, queue, held.get("receipt").textValue(), "--as", "ack")
                        .code())
                .isEqualTo(Exit.DONE);
        assertThat(Jono.run("info", url, queue)
                        .ended(Exit.DONE)
                        .one()
                        .get("total")
                        .intValue())
                .isZero();
    }
}
