package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BenchTest {
    @TempDir
    private Path directory;

    private String sqlite() {
        return "sqlite:" + directory.resolve("q.db");
    }

    @ParameterizedTest
    @CsvSource({
        "push, 1, 1",
        "push, 8, 1",
        "push, 4, 50",
        "pop, 8, 1",
        "pop, 4, 50",
        "reserve-ack, 8, 1",
        "reserve-ack, 4, 50",
        "pipeline, 8, 1"
    })
    void each_op_counts_every_message(String op, String callers, String batch) {
        for (String url : new String[] {"memory:", sqlite()}) {
            JsonNode line = Jono.run(
                            "bench", url, "--op", op, "--callers", callers, "--batch", batch, "-n", "700", "--json")
                    .ended(Exit.DONE)
                    .one();

            assertThat(line.fieldNames())
                    .toIterable()
                    .contains("op", "backend", "callers", "batch", "messages", "seconds", "messagesPerSecond")
                    .contains("p50Micros", "p99Micros", "lost", "duplicates");
            assertThat(line.get("op").textValue()).isEqualTo(op);
            assertThat(line.get("backend").textValue()).isEqualTo(url.substring(0, url.indexOf(':')));
            assertThat(line.get("messages").intValue()).isEqualTo(700);
            assertThat(line.get("lost").intValue()).isZero();
            assertThat(line.get("duplicates").intValue()).isZero();
            assertThat(line.get("p99Micros").longValue())
                    .isGreaterThanOrEqualTo(line.get("p50Micros").longValue())
                    .isPositive();
        }
    }

    @Test
    void end_to_end_measures_between_two_processes() {
        JsonNode line = Jono.run("bench", sqlite(), "--op", "e2e", "--rate", "500", "-n", "500", "--json")
                .ended(Exit.DONE)
                .one();

        assertThat(line.get("lost").intValue()).isZero();
        assertThat(line.get("duplicates").intValue()).isZero();
        assertThat(line.get("rate").intValue()).isEqualTo(500);
        assertThat(line.get("p50Micros").longValue()).isBetween(1L, 5_000_000L);
        assertThat(line.get("seconds").doubleValue()).isGreaterThan(0.9);
    }

    @Test
    void all_ops_make_a_table_and_nothing_is_left_behind() {
        Jono.Run run =
                Jono.run("bench", sqlite(), "-n", "200", "--rate", "1000").ended(Exit.DONE);

        assertThat(run.lines()).hasSize(6);
        assertThat(Jono.run("ls", sqlite(), "-l").json())
                .allSatisfy(q -> assertThat(q.get("total").intValue()).isZero());
    }

    @Test
    void in_memory_all_ops_are_those_of_one_process() {
        Jono.Run run = Jono.run("bench", "memory:", "-n", "200", "--json").ended(Exit.DONE);

        assertThat(run.json())
                .extracting(line -> line.get("op").textValue())
                .containsExactly("push", "pop", "reserve-ack", "pipeline");
    }

    @Test
    void the_tally_finds_the_lost_and_the_doubled() {
        BenchTally tally = new BenchTally(4);
        tally.addLatency(10);
        tally.addNumber(0);
        tally.addNumber(1);
        tally.addNumber(1);
        tally.addNumber(99);
        tally.addRemaining(1);

        BenchResult result = tally.result("pop", "memory", new BenchPlan(1, 1, 16, 4, 0));

        assertThat(result.lost()).isEqualTo(2);
        assertThat(result.duplicates()).isEqualTo(3);
        assertThat(result.isClean()).isFalse();
    }
}
