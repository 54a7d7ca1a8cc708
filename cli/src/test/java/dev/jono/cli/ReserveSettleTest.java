package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReserveSettleTest {
    @TempDir
    private Path directory;

    private String url() {
        return "sqlite:" + directory.resolve("q.db");
    }

    @BeforeEach
    void pushThree() {
        Jono.run("push", url(), "q", "1", "2", "3").ended(Exit.DONE);
    }

    private List<Integer> peeked(String queue) {
        return Jono.run("peek", url(), queue, "-n", "1000").json().stream()
                .map(m -> m.get("payload").intValue())
                .toList();
    }

    private JsonNode info(String queue) {
        return Jono.run("info", url(), queue).ended(Exit.DONE).one();
    }

    @Test
    void ack_removes_what_was_printed() {
        Jono.Run run =
                Jono.run("reserve", url(), "q", "-n", "2", "--then", "ack").ended(Exit.DONE);

        assertThat(run.json()).extracting(m -> m.get("payload").intValue()).containsExactly(1, 2);
        assertThat(run.json()).noneMatch(m -> m.has("receipt"));
        assertThat(peeked("q")).containsExactly(3);
    }

    @Test
    void all_with_release_prints_each_once_and_leaves_them_in_their_order() {
        Jono.Run run =
                Jono.run("reserve", url(), "q", "--all", "--then", "release").ended(Exit.DONE);

        assertThat(run.json()).extracting(m -> m.get("payload").intValue()).containsExactly(1, 2, 3);
        assertThat(peeked("q")).containsExactly(1, 2, 3);
        assertThat(Jono.run("pop", url(), "q").one().get("tries").intValue()).isZero();
    }

    @Test
    void all_with_retry_and_no_delay_ends_and_counts() {
        Jono.run("reserve", url(), "q", "--all", "--then", "retry", "--delay", "0s")
                .ended(Exit.DONE);

        assertThat(Jono.run("pop", url(), "q", "--all").json())
                .hasSize(3)
                .allSatisfy(m -> assertThat(m.get("tries").intValue()).isEqualTo(1));
    }

    @Test
    void a_receipt_settles_from_another_process_once() throws Exception {
        JsonNode held = Jono.runChild("reserve", url(), "q", "--then", "hold").one();
        String receipt = held.get("receipt").textValue();
        assertThat(info("q").get("reserved").intValue()).isEqualTo(1);

        Jono.Run settle =
                Jono.runChild("settle", url(), "q", receipt, "--as", "ack").ended(Exit.DONE);
        assertThat(settle.one().get("id")).isEqualTo(held.get("id"));
        assertThat(settle.one().get("settled").textValue()).isEqualTo("acked");
        assertThat(peeked("q")).containsExactly(2, 3);

        Jono.Run again =
                Jono.run("settle", url(), "q", receipt, "--as", "release").ended(Exit.ERROR);
        assertThat(again.err().lines())
                .hasSize(1)
                .first()
                .asString()
                .contains(held.get("id").textValue());
    }

    @Test
    void several_receipts_are_settled_and_the_stale_ones_named() {
        List<String> receipts = Jono.run("reserve", url(), "q", "--all", "--then", "hold").json().stream()
                .map(m -> m.get("receipt").textValue())
                .toList();
        Jono.run("settle", url(), "q", receipts.get(1), "--as", "ack").ended(Exit.DONE);

        Jono.Run run = Jono.run(
                        "settle",
                        url(),
                        "q",
                        receipts.get(0),
                        receipts.get(1),
                        receipts.get(2),
                        "--as",
                        "retry",
                        "--delay",
                        "1m")
                .ended(Exit.ERROR);

        assertThat(run.json()).extracting(m -> m.get("settled").textValue()).containsExactly("retried", "retried");
        assertThat(run.err().lines()).hasSize(1);
        assertThat(info("q").get("scheduled").intValue()).isEqualTo(2);
    }

    @Test
    void nonsense_for_a_receipt_settles_nothing() {
        String receipt = Jono.run("reserve", url(), "q", "--then", "hold")
                .one()
                .get("receipt")
                .textValue();

        Jono.Run run = Jono.run("settle", url(), "q", receipt, "nonsense", "--as", "ack")
                .ended(Exit.ERROR);

        assertThat(run.err().lines()).hasSize(1);
        assertThat(info("q").get("reserved").intValue()).isEqualTo(1);
    }

    @Test
    void an_expired_reservation_comes_back_counted() {
        Jono.run("reserve", url(), "q", "--all", "--then", "hold", "--lease", "200ms")
                .ended(Exit.DONE);

        Jono.Run run = Jono.run("reserve", url(), "q", "--wait", "20s", "--then", "ack")
                .ended(Exit.DONE);

        assertThat(run.one().get("tries").intValue()).isEqualTo(1);
    }

    @Test
    void the_last_retry_ends_in_the_dead_letters_and_redrive_brings_it_back() {
        String[] retry = {
            "reserve",
            url(),
            "q",
            "--then",
            "retry",
            "--delay",
            "0s",
            "--max-deliveries",
            "2",
            "--dead-letter",
            "graves"
        };
        Jono.run(retry).ended(Exit.DONE);
        assertThat(info("graves").get("total").intValue()).isZero();
        Jono.run(
                        "reserve",
                        url(),
                        "q",
                        "-n",
                        "3",
                        "--then",
                        "retry",
                        "--delay",
                        "0s",
                        "--max-deliveries",
                        "2",
                        "--dead-letter",
                        "graves")
                .ended(Exit.DONE);

        JsonNode dead = Jono.run("peek", url(), "graves").one();
        assertThat(dead.get("payload").intValue()).isEqualTo(1);
        assertThat(dead.get("headers").get("x-dl-from-queue").textValue()).isEqualTo("q");
        assertThat(dead.get("headers").get("x-dl-reason").textValue()).isEqualTo("limit");

        Jono.Run redrive = Jono.run("redrive", url(), "--dead-letter", "graves").ended(Exit.DONE);
        assertThat(redrive.out()).isEqualTo("{\"redriven\":1}\n");
        assertThat(peeked("q")).containsExactlyInAnyOrder(1, 2, 3);
        Jono.run("redrive", url(), "--dead-letter", "graves").ended(Exit.NOTHING);
    }

    @Test
    void settling_as_retry_respects_the_limit_too() {
        String receipt = Jono.run("reserve", url(), "q", "--then", "hold")
                .one()
                .get("receipt")
                .textValue();

        Jono.Run run = Jono.run("settle", url(), "q", receipt, "--as", "retry", "--max-deliveries", "1")
                .ended(Exit.DONE);

        assertThat(run.one().get("settled").textValue()).isEqualTo("dead-lettered");
        assertThat(peeked("__deadletter__")).containsExactly(1);
    }

    @Test
    void reject_keeps_the_reason() {
        Jono.run("reserve", url(), "q", "--then", "reject", "--reason", "wrong currency")
                .ended(Exit.DONE);

        JsonNode headers = Jono.run("peek", url(), "__deadletter__").one().get("headers");
        assertThat(headers.get("x-dl-reason").textValue()).isEqualTo("rejected");
        assertThat(headers.get("x-dl-error").textValue()).isEqualTo("wrong currency");
    }

    @Test
    void nothing_there_is_told_by_the_exit_code() {
        Jono.run("reserve", url(), "empty", "--then", "ack").ended(Exit.NOTHING);
        Jono.run("reserve", url(), "empty", "--all", "--then", "release").ended(Exit.NOTHING);
    }
}
