package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands on a queue whose messages have ordering keys. */
class KeyedQueueTest extends KeyedQueueCase {
    private static List<Integer> payloads(Jono.Run run) {
        return run.json().stream().map(m -> m.get("payload").intValue()).toList();
    }

    @Test
    void a_message_of_a_key_waits_until_the_earlier_one_is_done() {
        push("a", 1, 2);
        push("b", 3);
        String receipt = Jono.run("reserve", url(), "q", "--keyed", "--then", "hold")
                .ended(Exit.DONE)
                .one()
                .get("receipt")
                .textValue();

        assertThat(payloads(Jono.run("pop", url(), "q", "--keyed", "--all"))).containsExactly(3);
        Jono.run("settle", url(), "q", receipt, "--as", "ack").ended(Exit.DONE);
        assertThat(payloads(Jono.run("pop", url(), "q", "--keyed", "--all"))).containsExactly(2);
    }

    @Test
    void more_messages_of_a_key_are_held_where_the_queue_allows_it() {
        Jono.run("push", url(), "q", "--keyed=2", "--key", "a", "1", "2", "3").ended(Exit.DONE);

        assertThat(payloads(Jono.run("reserve", url(), "q", "--keyed=2", "--all", "--then", "hold")))
                .containsExactly(1, 2);
        assertThat(info().get("reserved").intValue()).isEqualTo(2);
    }

    @Test
    void the_word_after_keyed_is_an_argument_and_not_its_value() {
        Jono.run("push", url(), "q", "--keyed", "5").ended(Exit.DONE);

        assertThat(payloads(Jono.run("pop", "--keyed", url(), "q"))).containsExactly(5);
    }

    @ParameterizedTest
    @CsvSource({"release, 0", "release --delay 0s, 0", "retry --delay 0s, 1"})
    void what_goes_back_is_printed_once_and_keeps_its_order(String then, int tries) {
        push("a", 1, 2, 3);
        push("b", 4);

        Jono.Run reserve = Jono.run(("reserve " + url() + " q --keyed --all --then " + then).split(" "))
                .ended(Exit.DONE);

        assertThat(payloads(reserve)).containsExactlyInAnyOrder(1, 2, 3, 4);
        Jono.Run pop = Jono.run("pop", url(), "q", "--keyed", "--all").ended(Exit.DONE);
        assertThat(payloads(pop)).hasSize(4).containsSubsequence(1, 2, 3);
        assertThat(pop.json())
                .allSatisfy(m -> assertThat(m.get("tries").intValue()).isEqualTo(tries));
    }

    @Test
    void receipts_of_one_key_go_back_together() {
        push("a", 1, 2, 3);
        List<String> receipts = Jono.run("reserve", url(), "q", "--keyed", "--all", "--then", "hold").json().stream()
                .map(m -> m.get("receipt").textValue())
                .toList();

        Jono.Run settle = Jono.run(Stream.of(Stream.of("settle", url(), "q", "--as", "release"), receipts.stream())
                        .flatMap(s -> s)
                        .toArray(String[]::new))
                .ended(Exit.DONE);

        assertThat(settle.lines()).hasSize(3);
        assertThat(payloads(Jono.run("pop", url(), "q", "--keyed", "--all"))).containsExactly(1, 2, 3);
    }

    /** Runs a command until the queue holds no messages, and stops it. */
    private void runUntilEmpty(ProcessBuilder command) throws Exception {
        Process process = command.redirectErrorStream(true).start();
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(info().get("total").intValue()).isZero());
        assertThat(process.toHandle().destroy()).isTrue();
        assertThat(process.onExit().get().exitValue()).isEqualTo(Exit.DONE);
    }

    @Test
    void work_runs_the_messages_of_a_key_one_after_the_other() throws Exception {
        push("a", 1, 2, 3, 4);
        Path log = directory.resolve("log");

        runUntilEmpty(Jono.child(
                "work",
                url(),
                "q",
                "--keyed",
                "--concurrency",
                "4",
                "--exec",
                "read n; echo begin $n >> '" + log + "'; echo end $n >> '" + log + "'"));

        assertThat(Files.readAllLines(log))
                .containsExactly("begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3", "begin 4", "end 4");
    }

    @Test
    void pipe_moves_the_messages_of_a_key_in_their_order() throws Exception {
        push("a", 1, 2, 3, 4);

        runUntilEmpty(Jono.child("pipe", url(), "q", "other", "--keyed", "--concurrency", "4", "--exec", "cat"));

        assertThat(Jono.run("pop", url(), "other", "--all").json())
                .extracting(m -> m.get("headers").get("x-key").textValue() + m.get("payload"))
                .containsExactly("a1", "a2", "a3", "a4");
    }

    @Test
    void move_takes_the_messages_of_a_keyed_queue_with_their_keys() {
        push("a", 1, 2);

        assertThat(Jono.run("move", url(), "q", "other", "--keyed")
                        .ended(Exit.DONE)
                        .out())
                .isEqualTo("{\"moved\":2}\n");
        assertThat(Jono.run("peek", url(), "other").json())
                .extracting(m -> m.get("headers").get("x-key").textValue() + m.get("payload"))
                .containsExactly("a1", "a2");
    }

    @Test
    void move_makes_an_unused_target_keyed() {
        push("a", 1, 2);
        Jono.run("move", url(), "q", "other", "--keyed", "--to-keyed").ended(Exit.DONE);

        assertThat(Jono.run("info", url(), "other").one().get("blocked").intValue())
                .isEqualTo(1);
        assertThat(payloads(Jono.run("reserve", url(), "other", "--keyed", "--all", "--then", "ack")))
                .containsExactly(1, 2);
    }

    @Test
    void pipe_makes_an_unused_target_keyed() throws Exception {
        push("a", 1, 2);
        runUntilEmpty(Jono.child("pipe", url(), "q", "other", "--keyed", "--to-keyed=2", "--exec", "cat"));

        assertThat(payloads(Jono.run("reserve", url(), "other", "--keyed=2", "--all", "--then", "ack")))
                .containsExactly(1, 2);
    }

    @Test
    void a_keyed_queue_is_refused_to_commands_without_the_option() {
        push("a", 1);

        for (String command :
                List.of("pop URL q", "reserve URL q --then ack", "move URL q other", "pop URL q --keyed=2")) {
            assertThat(Jono.run(command.replace("URL", url()).split(" "))
                            .ended(Exit.ERROR)
                            .err()
                            .lines())
                    .singleElement()
                    .asString()
                    .contains("queue 'q' is keyed(1)");
        }
        assertThat(info().get("total").intValue()).isEqualTo(1);
    }
}
