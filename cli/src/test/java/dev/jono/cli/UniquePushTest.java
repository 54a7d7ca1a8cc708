package dev.jono.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pushes under unique keys. */
class UniquePushTest {
    @TempDir
    private Path directory;

    private String url() {
        return "sqlite:" + directory.resolve("q.db");
    }

    private Jono.Run push(String queue, String payload, String... more) {
        return Jono.run(Stream.concat(
                                Stream.of("push", url(), queue, payload, "--ids", "--window", "1h"), Stream.of(more))
                        .toArray(String[]::new))
                .ended(Exit.DONE);
    }

    private int total(String queue) {
        return Jono.run("info", url(), queue).one().get("total").intValue();
    }

    @Test
    void a_duplicate_is_not_stored_and_says_so() {
        Jono.Run first = push("q", "1", "--unique", "u");
        Jono.Run second = push("q", "2", "--unique", "u");
        Jono.Run other = push("q", "3", "--unique", "v");

        assertThat(first.one().has("duplicate")).isFalse();
        assertThat(first.err()).startsWith("1 message stored in queue 'q' in ");
        JsonNode duplicate = second.one();
        assertThat(duplicate.get("id")).isEqualTo(first.one().get("id"));
        assertThat(duplicate.get("duplicate").booleanValue()).isTrue();
        assertThat(second.err()).startsWith("0 messages stored in queue 'q', 1 duplicate not stored in ");
        assertThat(other.err()).startsWith("1 message stored in queue 'q' in ");
        assertThat(Jono.run("pop", url(), "q", "--all").json())
                .extracting(m -> m.get("payload").intValue())
                .containsExactly(1, 3);
    }

    @Test
    void of_the_lines_of_one_push_the_first_is_stored() {
        Jono.Run push = Jono.runWith("1\n2\n3\n".getBytes(UTF_8), "push", url(), "q", "--unique", "u", "--window", "1h")
                .ended(Exit.DONE);

        assertThat(push.err()).startsWith("1 message stored in queue 'q', 2 duplicates not stored in ");
        assertThat(Jono.run("pop", url(), "q", "--all").one().get("payload").intValue())
                .isEqualTo(1);
    }

    @Test
    void queues_with_the_same_scope_share_their_keys() {
        push("a", "1", "--unique", "u", "--scope", "images");
        push("b", "2", "--unique", "u", "--scope", "images");
        push("b", "3", "--unique", "u");

        assertThat(total("a")).isEqualTo(1);
        assertThat(Jono.run("pop", url(), "b", "--all").one().get("payload").intValue())
                .isEqualTo(3);
    }

    @Test
    void a_key_is_free_when_its_window_has_ended() {
        Jono.run("push", url(), "q", "1", "--unique", "u", "--window", "1ms").ended(Exit.DONE);
        await().untilAsserted(() -> {
            Jono.run("push", url(), "q", "2", "--unique", "u", "--window", "1h").ended(Exit.DONE);
            assertThat(total("q")).isEqualTo(2);
        });
    }
}
