package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that change waiting messages by their ids. */
class EditTest {
    private static final String DEAD = "__deadletter__";

    @TempDir
    private Path directory;

    private List<String> ids = List.of();

    private String url() {
        return "sqlite:" + directory.resolve("q.db");
    }

    @BeforeEach
    void pushThreeForLater() {
        ids = Jono.run("push", url(), "q", "--ids", "--delay", "1h", "1", "2", "3").json().stream()
                .map(line -> line.get("id").textValue())
                .toList();
    }

    private static Jono.Run run(Stream<String> first, Stream<String> then) {
        return Jono.run(Stream.concat(first, then).toArray(String[]::new));
    }

    private Jono.Run reschedule(String... more) {
        return run(Stream.of("reschedule", url(), "q"), Stream.of(more));
    }

    private List<Integer> popped(String queue) {
        return Jono.run("pop", url(), queue, "--all").json().stream()
                .map(m -> m.get("payload").intValue())
                .toList();
    }

    /** Makes all messages dead letters. */
    private void rejectAll() {
        run(Stream.of("reschedule", url(), "q"), ids.stream()).ended(Exit.DONE);
        Jono.run("reserve", url(), "q", "--all", "--then", "reject").ended(Exit.DONE);
    }

    @Test
    void reschedule_makes_messages_due_now() {
        Jono.Run run = reschedule(ids.get(2), ids.get(0)).ended(Exit.DONE);

        assertThat(run.lines())
                .containsExactly(
                        "{\"id\":\"" + ids.get(2) + "\",\"result\":\"rescheduled\"}",
                        "{\"id\":\"" + ids.get(0) + "\",\"result\":\"rescheduled\"}");
        assertThat(popped("q")).containsExactlyInAnyOrder(1, 3);
    }

    @Test
    void reschedule_sets_a_time_or_a_delay() {
        reschedule(ids.get(0), "--at", "2099-12-31T23:59:00Z").ended(Exit.DONE);
        reschedule(ids.get(1), "--delay", "5m").ended(Exit.DONE);

        List<JsonNode> messages = Jono.run("peek", url(), "q").json();

        assertThat(messages).extracting(m -> m.get("payload").intValue()).containsExactly(2, 3, 1);
        assertThat(messages.get(2).get("dueAt").textValue()).isEqualTo("2099-12-31T23:59:00Z");
    }

    @Test
    void reschedule_of_a_blocked_message_leaves_it_behind_its_key() {
        List<String> keyed = Jono.run("push", url(), "k", "--keyed", "--key", "a", "--ids", "1", "2").json().stream()
                .map(line -> line.get("id").textValue())
                .toList();

        Jono.run("reschedule", url(), "k", keyed.get(1), "--at", "1999-12-31T23:59:00Z")
                .ended(Exit.DONE);

        assertThat(Jono.run("pop", url(), "k", "--keyed", "--all").json())
                .extracting(m -> m.get("payload").intValue())
                .containsExactly(1, 2);
    }

    @Test
    void reschedule_says_which_messages_are_held_and_which_are_absent() {
        reschedule(ids.get(0)).ended(Exit.DONE);
        Jono.run("reserve", url(), "q", "--then", "hold").ended(Exit.DONE);

        Jono.Run run = reschedule(ids.get(0), "17", ids.get(1)).ended(Exit.ERROR);

        assertThat(run.one().get("id").textValue()).isEqualTo(ids.get(1));
        assertThat(run.err().lines())
                .containsExactly(
                        "jono: message " + ids.get(0) + " in queue 'q' was not rescheduled: a consumer holds it",
                        "there is no message 17 in queue 'q'");
        reschedule("17").ended(Exit.NOTHING);
    }

    @Test
    void redrive_sends_the_named_dead_letters_back() {
        rejectAll();

        Jono.Run run = Jono.run("redrive", url(), ids.get(2), ids.get(0)).ended(Exit.DONE);

        assertThat(run.json()).extracting(m -> m.get("id").textValue()).containsExactly(ids.get(2), ids.get(0));
        assertThat(run.json())
                .allSatisfy(m -> assertThat(m.get("result").textValue()).isEqualTo("redriven"));
        assertThat(Jono.run("peek", url(), "q").json())
                .allSatisfy(m -> assertThat(m.get("headers")).isEmpty());
        assertThat(popped("q")).containsExactlyInAnyOrder(1, 3);
        assertThat(popped(DEAD)).containsExactly(2);
    }

    @Test
    void redrive_leaves_what_names_no_origin_and_what_is_held() {
        rejectAll();
        String stray =
                Jono.run("push", url(), DEAD, "4", "--ids").one().get("id").textValue();
        String held = Jono.run("reserve", url(), DEAD, "--then", "hold")
                .one()
                .get("id")
                .textValue();

        Jono.Run run = Jono.run("redrive", url(), stray, held, "17").ended(Exit.ERROR);

        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines())
                .containsExactly(
                        "jono: message " + stray + " in queue '" + DEAD
                                + "' was not redriven: it has no header x-dl-from-queue",
                        "jono: message " + held + " in queue '" + DEAD + "' was not redriven: a consumer holds it",
                        "there is no message 17 in queue '" + DEAD + "'");
        Jono.run("redrive", url(), "17").ended(Exit.NOTHING);
    }

    @Test
    void redrive_reads_the_dead_letter_queue_that_is_named() {
        reschedule(ids.get(0)).ended(Exit.DONE);
        Jono.run("reserve", url(), "q", "--then", "reject", "--dead-letter", "failed")
                .ended(Exit.DONE);

        Jono.run("redrive", url(), ids.get(0)).ended(Exit.NOTHING);
        Jono.run("redrive", url(), ids.get(0), "--dead-letter", "failed").ended(Exit.DONE);

        assertThat(popped("q")).containsExactly(1);
    }
}
