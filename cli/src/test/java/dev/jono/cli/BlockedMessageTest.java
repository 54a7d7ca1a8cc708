package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the commands show of ordering keys, and of the messages that wait for others of their key. */
class BlockedMessageTest extends KeyedQueueCase {
    private List<JsonNode> peek(String... more) {
        return Jono.run(Stream.concat(Stream.of("peek", url(), "q"), Stream.of(more))
                        .toArray(String[]::new))
                .json();
    }

    @Test
    void messages_show_their_key() {
        push("a", 1);
        Jono.run("push", url(), "q", "--keyed", "2").ended(Exit.DONE);

        assertThat(peek().get(0).get("key").textValue()).isEqualTo("a");
        assertThat(peek().get(1).has("key")).isFalse();
        assertThat(Jono.run("pop", url(), "q", "--keyed").one().get("key").textValue())
                .isEqualTo("a");
    }

    @Test
    void peek_names_the_message_that_blocks_another() {
        List<String> ids = push("a", 1, 2);
        Jono.run("reserve", url(), "q", "--keyed", "--then", "hold").ended(Exit.DONE);

        JsonNode first = peek().get(0);
        JsonNode second = peek().get(1);

        assertThat(first.get("state").textValue()).isEqualTo("reserved");
        assertThat(first.has("blockedBy")).isFalse();
        assertThat(first.has("reason")).isFalse();
        assertThat(second.get("state").textValue()).isEqualTo("blocked");
        assertThat(second.get("blockedBy").textValue()).isEqualTo(ids.get(0));
        assertThat(second.get("reason").textValue())
                .isEqualTo("waits for message " + ids.get(0) + " of key 'a', which is reserved");
    }

    @Test
    void peek_finds_a_blocking_message_with_a_later_due_time_and_says_if_it_was_not_read() {
        String scheduled = Jono.run("push", url(), "q", "--keyed", "--key", "a", "1", "--delay", "1h", "--ids")
                .one()
                .get("id")
                .textValue();
        push("a", 2);

        assertThat(peek()).extracting(m -> m.get("state").textValue()).containsExactly("blocked", "scheduled");
        assertThat(peek().get(0).get("blockedBy").textValue()).isEqualTo(scheduled);
        JsonNode alone = peek("-n", "1").get(0);
        assertThat(alone.has("blockedBy")).isFalse();
        assertThat(alone.get("reason").textValue()).isEqualTo("waits for an earlier message of key 'a'");
    }

    @Test
    void peek_remembers_what_blocks_over_its_pages() {
        List<String> ids = push("a", IntStream.range(0, 600).boxed().toArray());

        assertThat(peek("-n", "600").subList(1, 600))
                .allSatisfy(m -> assertThat(m.get("blockedBy").textValue()).isEqualTo(ids.get(0)));
    }

    @Test
    void blocked_messages_are_counted_where_there_are_any() {
        push("a", 1);
        assertThat(info().has("blocked")).isFalse();
        push("a", 2, 3);

        assertThat(info().fieldNames())
                .toIterable()
                .containsSubsequence("size", "scheduled", "reserved", "blocked", "total");
        for (JsonNode counts : List.of(info(), Jono.run("ls", url(), "-l").one())) {
            assertThat(counts.get("size").intValue()).isEqualTo(1);
            assertThat(counts.get("blocked").intValue()).isEqualTo(2);
            assertThat(counts.get("total").intValue()).isEqualTo(3);
        }
    }
}
