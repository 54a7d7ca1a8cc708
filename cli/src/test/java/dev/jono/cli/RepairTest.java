package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that inspect and repair queues. */
class RepairTest {
    @TempDir
    private Path directory;

    private String url() {
        return "sqlite:" + directory.resolve("q.db");
    }

    private Jono.Run push(String queue, Object... payloads) {
        return Jono.run(Stream.concat(
                                Stream.of("push", url(), queue, "--ids"),
                                Stream.of(payloads).map(Object::toString))
                        .toArray(String[]::new))
                .ended(Exit.DONE);
    }

    private JsonNode info(String queue) {
        return Jono.run("info", url(), queue).ended(Exit.DONE).one();
    }

    @Test
    void info_tells_the_counts_and_what_was_done() {
        push("q", 1, 2, 3, 4);
        Jono.run("push", url(), "q", "5", "--delay", "1h").ended(Exit.DONE);
        Jono.run("pop", url(), "q").ended(Exit.DONE);
        Jono.run("reserve", url(), "q", "--then", "ack").ended(Exit.DONE);
        Jono.run("reserve", url(), "q", "--then", "hold").ended(Exit.DONE);

        JsonNode info = info("q");

        assertThat(info.fieldNames())
                .toIterable()
                .containsExactly(
                        "name", "type", "size", "scheduled", "reserved", "total", "nextMaturity", "paused", "stats");
        assertThat(info.get("name").textValue()).isEqualTo("q");
        assertThat(info.get("type").textValue()).isEqualTo("sqlite");
        assertThat(info.get("size").intValue()).isEqualTo(1);
        assertThat(info.get("scheduled").intValue()).isEqualTo(1);
        assertThat(info.get("reserved").intValue()).isEqualTo(1);
        assertThat(info.get("total").intValue()).isEqualTo(3);
        assertThat(info.get("paused").booleanValue()).isFalse();
        assertThat(info.get("stats"))
                .isEqualTo(
                        Jono.read("{\"pushed\":5,\"popped\":1,\"reserved\":2,\"acked\":1,\"retried\":0,\"released\":0,"
                                + "\"deadLettered\":0}"));
    }

    @Test
    void info_of_a_queue_that_never_was_is_all_zero() {
        push("other", 1);
        assertThat(info("never").get("total").intValue()).isZero();
        assertThat(info("never").get("nextMaturity").isNull()).isTrue();
    }

    @Test
    void ls_lists_the_queues() {
        Jono.run("ls", url() + "?jono.create=true").ended(Exit.NOTHING);
        push("b", 1);
        push("a", 1, 2);

        assertThat(Jono.run("ls", url()).ended(Exit.DONE).lines())
                .containsExactly("{\"name\":\"a\"}", "{\"name\":\"b\"}");
        assertThat(Jono.run("ls", url(), "-l").ended(Exit.DONE).json())
                .extracting(q -> q.get("total").intValue())
                .containsExactly(2, 1);
    }

    @Test
    void peek_takes_nothing_and_shows_more_than_a_page() {
        push("q", IntStream.range(0, 600).boxed().toArray());

        assertThat(Jono.run("peek", url(), "q", "-n", "599").ended(Exit.DONE).json())
                .extracting(m -> m.get("payload").intValue())
                .containsExactlyElementsOf(IntStream.range(0, 599).boxed().toList());
        assertThat(Jono.run("peek", url(), "q").lines()).hasSize(10);
        assertThat(info("q").get("size").intValue()).isEqualTo(600);
        Jono.run("peek", url(), "empty").ended(Exit.NOTHING);
    }

    @Test
    void a_paused_queue_gives_nothing_until_it_is_resumed() {
        push("q", 1);
        Jono.run("pause", url(), "q").ended(Exit.DONE);

        assertThat(info("q").get("paused").booleanValue()).isTrue();
        Jono.run("pop", url(), "q").ended(Exit.NOTHING);
        push("q", 2);

        Jono.run("resume", url(), "q").ended(Exit.DONE);
        assertThat(Jono.run("pop", url(), "q", "--all").lines()).hasSize(2);
    }

    @Test
    void purge_removes_what_nobody_holds() {
        push("q", 1, 2, 3);
        Jono.run("reserve", url(), "q", "--then", "hold").ended(Exit.DONE);

        assertThat(Jono.run("purge", url(), "q", "--yes").ended(Exit.DONE).out())
                .isEqualTo("{\"purged\":2}\n");
        assertThat(info("q").get("reserved").intValue()).isEqualTo(1);
    }

    @Test
    void drop_deletes_a_queue_that_is_over() {
        push("q", 1);
        push("other", 1);
        Jono.run("pause", url(), "q").ended(Exit.DONE);
        assertThat(Jono.run("drop", url(), "q", "--yes").ended(Exit.ERROR).err())
                .isEqualTo("jono: queue 'q' was not dropped: it holds 1 message; 'jono purge' removes those that no"
                        + " consumer holds, --force deletes the queue with all messages\n");
        Jono.run("purge", url(), "q", "--yes").ended(Exit.DONE);

        assertThat(Jono.run("drop", url(), "q", "--yes").ended(Exit.DONE).out())
                .isEqualTo("{\"dropped\":\"q\",\"messages\":0}\n");
        Jono.run("drop", url(), "q", "--yes").ended(Exit.DONE);

        assertThat(Jono.run("ls", url()).ended(Exit.DONE).one().get("name").textValue())
                .isEqualTo("other");
        assertThat(info("q").get("paused").booleanValue()).isFalse();
        assertThat(info("q").get("stats").get("pushed").intValue()).isZero();
    }

    @Test
    void drop_with_force_takes_the_messages_along() {
        push("q", 1, 2, 3);
        Jono.run("reserve", url(), "q", "--then", "hold").ended(Exit.DONE);

        assertThat(Jono.run("drop", url(), "q", "--yes", "--force")
                        .ended(Exit.DONE)
                        .out())
                .isEqualTo("{\"dropped\":\"q\",\"messages\":3}\n");
        Jono.run("ls", url()).ended(Exit.NOTHING);
    }

    @Test
    void remove_tells_removed_held_and_absent_apart() {
        Jono.Run pushed = push("q", 1, 2);
        String first = pushed.json().get(0).get("id").textValue();
        String second = pushed.json().get(1).get("id").textValue();
        Jono.run("reserve", url(), "q", "--then", "hold").ended(Exit.DONE);

        assertThat(Jono.run("remove", url(), "q", first).ended(Exit.ERROR).err())
                .contains("a consumer holds");
        Jono.run("remove", url(), "q", second).ended(Exit.DONE);
        Jono.run("remove", url(), "q", second).ended(Exit.NOTHING);
        assertThat(info("q").get("total").intValue()).isEqualTo(1);
    }

    @Test
    void move_takes_messages_to_another_queue_with_their_ids() {
        Jono.Run pushed = push("a", IntStream.range(0, 300).boxed().toArray());

        assertThat(Jono.run("move", url(), "a", "b", "-n", "1").ended(Exit.DONE).out())
                .isEqualTo("{\"moved\":1}\n");
        assertThat(Jono.run("move", url(), "a", "b").ended(Exit.DONE).out()).isEqualTo("{\"moved\":299}\n");
        assertThat(Jono.run("move", url(), "a", "b").ended(Exit.NOTHING).out()).isEqualTo("{\"moved\":0}\n");
        assertThat(Jono.run("peek", url(), "b", "-n", "1000").json())
                .extracting(m -> m.get("id").textValue())
                .containsExactlyInAnyOrderElementsOf(
                        pushed.json().stream().map(i -> i.get("id").textValue()).toList());
    }

    @Test
    void history_shows_what_a_consumer_kept_the_latest_first() {
        push("q", 1, 2, 3);
        Jono.run("pop", url(), "q").ended(Exit.DONE);
        Jono.run("history", url(), "q").ended(Exit.NOTHING);

        Jono.run("pop", url(), "q", "--keep", "1h").ended(Exit.DONE);
        Jono.run("reserve", url(), "q", "--then", "ack", "--keep", "1h").ended(Exit.DONE);

        assertThat(Jono.run("history", url(), "q").ended(Exit.DONE).json())
                .extracting(
                        m -> m.get("payload").intValue() + " " + m.get("state").textValue())
                .containsExactly("3 processed", "2 processed");
        assertThat(Jono.run("history", url(), "q", "-n", "1").lines()).hasSize(1);
    }
}
