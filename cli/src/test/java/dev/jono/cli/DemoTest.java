package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {
    @TempDir
    private Path directory;

    @Test
    @Tag("fault")
    @Timeout(180)
    void every_line_is_accounted_for_though_a_worker_is_killed() {
        String url = "sqlite:" + directory.resolve("q.db");

        Jono.Run run = Jono.run("demo", url, "--lines", "6000", "--json").ended(Exit.DONE);

        JsonNode summary = run.one();
        assertThat(summary.get("pushed").intValue()).isEqualTo(6_000);
        assertThat(summary.get("lost").intValue()).isZero();
        assertThat(summary.get("duplicates").intValue()).isZero();
        assertThat(summary.get("early").intValue()).isZero();
        assertThat(summary.get("scheduled").intValue()).isPositive();
        assertThat(summary.get("redelivered").intValue()).isPositive();
        assertThat(summary.get("deadLettered").intValue())
                .isEqualTo(summary.get("doomed").intValue())
                .isPositive();
        assertThat(summary.get("delivered").intValue())
                .isEqualTo(6_000 - summary.get("deadLettered").intValue());
        assertThat(summary.get("heldByKilled").intValue()).isPositive();
        assertThat(run.err()).contains("killed worker-1");
        assertThat(Jono.run("ls", url, "-l").json())
                .allSatisfy(q -> assertThat(q.get("total").intValue()).isZero());
    }

    @Test
    @Tag("fault")
    @Timeout(180)
    void a_file_of_ones_own_is_moved_too() throws Exception {
        Path file = directory.resolve("log");
        Files.write(file, "caf\u00e9 ouvert\n\nERROR x\n".repeat(200).getBytes(StandardCharsets.ISO_8859_1));

        Jono.Run run = Jono.run("demo", "--file", file.toString()).ended(Exit.DONE);

        assertThat(run.lines()).anySatisfy(row -> assertThat(row).matches("pushed +600"));
        assertThat(run.lines()).anySatisfy(row -> assertThat(row).matches("lost +0"));
        assertThat(run.lines()).anySatisfy(row -> assertThat(row).matches("duplicates acknowledged +0"));
    }

    @Test
    void the_log_is_the_same_each_time_and_various() {
        DemoLog one = new DemoLog(7);
        DemoLog other = new DemoLog(7);
        Set<String> lines = new HashSet<>();
        Set<LogEvent.Kind> kinds = new HashSet<>();
        for (int n = 0; n < 20_000; n++) {
            String line = one.next();
            assertThat(other.next()).isEqualTo(line);
            lines.add(line);
            kinds.add(LogEvent.parse(new LogLine(n, 0, 0, LogLine.Fate.PLAIN, line))
                    .kind());
        }

        assertThat(lines).hasSizeGreaterThan(15_000);
        assertThat(kinds).containsExactlyInAnyOrder(LogEvent.Kind.values());
    }

    @Test
    void the_ledger_finds_the_lost_and_the_doubled() {
        DemoLedger ledger = new DemoLedger();
        ledger.record("producer", "P 0 1 2 3 4 5 .");
        ledger.record("worker-1", "B 0 1 .");
        ledger.record("worker-1", "A 0:100 1 .");
        ledger.record("worker-2", "A 1 .");

        DemoSummary summary = ledger.summary(dead(4), 1, -1);

        assertThat(summary.pushed()).isEqualTo(6);
        assertThat(summary.delivered()).isEqualTo(2);
        assertThat(summary.deadLettered()).isEqualTo(1);
        assertThat(summary.duplicates()).isEqualTo(1);
        assertThat(summary.unfinished()).isEqualTo(1);
        assertThat(summary.lost()).isEqualTo(2);
        assertThat(summary.isClean()).isFalse();
    }

    @Test
    void a_message_acked_and_dead_lettered_is_a_duplicate() {
        DemoLedger ledger = new DemoLedger();
        ledger.record("producer", "P 0 .");
        ledger.record("worker-1", "A 0 .");

        assertThat(ledger.summary(dead(0), 0, -1).duplicates()).isEqualTo(1);
    }

    @Test
    void an_ack_begun_by_a_killed_worker_is_what_the_storage_says_it_is() {
        DemoLedger ledger = new DemoLedger();
        ledger.record("producer", "P 0 1 .");
        ledger.record("worker-1", "G 0:0 1:0 .");
        ledger.record("worker-1", "B 0 1 .");
        ledger.record("worker-1", "A 0");
        ledger.record("worker-2", "A 1 .");

        DemoSummary empty = ledger.summary(dead(), 0, ledger.heldBy("worker-1"));
        assertThat(empty.heldByKilled()).isEqualTo(2);
        assertThat(empty.delivered()).isEqualTo(2);
        assertThat(empty.isClean()).isTrue();

        assertThat(ledger.summary(dead(), 1, 0).delivered()).isEqualTo(1);
    }

    private static BitSet dead(int... numbers) {
        BitSet dead = new BitSet();
        IntStream.of(numbers).forEach(dead::set);
        return dead;
    }
}
