package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.testkit.server.MongoReplicaSet;
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
    @Timeout(300)
    void every_line_and_every_job_is_accounted_for_though_processes_are_killed() {
        String url = "sqlite:" + directory.resolve("q.db");

        Jono.Run run = Jono.run("demo", url, "--lines", "6000", "--jobs", "1000", "--json")
                .ended(Exit.DONE);

        JsonNode queues = run.one().get("queues");
        assertThat(queues.get("wrong")).isEmpty();
        assertThat(queues.get("pushed").intValue()).isEqualTo(6_000);
        assertThat(queues.get("lost").intValue()).isZero();
        assertThat(queues.get("duplicates").intValue()).isZero();
        assertThat(queues.get("early").intValue()).isZero();
        assertThat(queues.get("scheduled").intValue()).isPositive();
        assertThat(queues.get("redelivered").intValue()).isPositive();
        assertThat(queues.get("deadLettered").intValue())
                .isEqualTo(queues.get("doomed").intValue())
                .isPositive();
        assertThat(queues.get("delivered").intValue())
                .isEqualTo(6_000 - queues.get("deadLettered").intValue());
        assertThat(queues.get("heldByKilled").intValue()).isPositive();
        JsonNode jobs = run.one().get("jobs");
        assertThat(jobs.get("wrong")).isEmpty();
        assertThat(jobs.get("enqueued").intValue()).isEqualTo(1_000);
        assertThat(jobs.get("failed").intValue()).isPositive();
        assertThat(jobs.get("succeeded").intValue())
                .isEqualTo(1_000 - jobs.get("failed").intValue());
        assertThat(jobs.get("failedRuns").intValue()).isPositive();
        assertThat(jobs.get("recorded").intValue()).isEqualTo(250);
        assertThat(jobs.get("takenOver").intValue())
                .isEqualTo(jobs.get("heldByKilled").intValue())
                .isPositive();
        assertThat(run.err()).contains("killed worker-1", "killed runner-1");
        assertThat(Jono.run("ls", url, "-l").json())
                .allSatisfy(q -> assertThat(q.get("total").intValue()).isZero());
        Jono.run("jobs", "info", url).ended(Exit.NOTHING);
    }

    @Test
    @Tag("fault")
    @Timeout(300)
    void a_file_of_ones_own_is_moved_too() throws Exception {
        Path file = directory.resolve("log");
        Files.write(file, "caf\u00e9 ouvert\n\nERROR x\n".repeat(200).getBytes(StandardCharsets.ISO_8859_1));

        Jono.Run run =
                Jono.run("demo", "--file", file.toString(), "--act", "queues").ended(Exit.DONE);

        assertThat(run.lines()).anySatisfy(row -> assertThat(row).matches("pushed +600"));
        assertThat(run.lines()).anySatisfy(row -> assertThat(row).matches("lost +0"));
        assertThat(run.lines()).anySatisfy(row -> assertThat(row).matches("duplicates acknowledged +0"));
        assertThat(run.lines()).doesNotContain("jobs:").endsWith("all checks passed");
    }

    @Test
    @Tag("fault")
    @Timeout(300)
    void the_act_about_jobs_is_played_alone() {
        Jono.Run run = Jono.run("demo", "--act", "jobs", "--jobs", "1000").ended(Exit.DONE);

        assertThat(run.lines()).startsWith("jobs:").doesNotContain("queues:").endsWith("all checks passed");
        assertThat(run.lines())
                .anySatisfy(row -> assertThat(row).matches("out of order +0 +of 250 payments of 20 accounts"));
    }

    @Test
    @Tag("fault")
    @Timeout(300)
    void a_storage_without_jobs_plays_the_other_act() throws Exception {
        String url = "bucket-mongo-safe:" + MongoReplicaSet.sharedUri("jono_test_cli_demo");

        Jono.Run run = Jono.run("demo", url, "--lines", "200").ended(Exit.DONE);
        assertThat(run.lines()).startsWith("queues:").doesNotContain("jobs:").endsWith("all checks passed");
        assertThat(run.err().lines()).anyMatch(line -> line.startsWith("jobs: left out, because "));

        Jono.Run refused = Jono.run("demo", url, "--act", "jobs").ended(Exit.ERROR);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err()).contains("'bucket-mongo-safe' has no jobs");
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
        DemoQueuesLedger ledger = new DemoQueuesLedger(0);
        ledger.record("producer", "P 0 1 2 3 4 5 .");
        ledger.record("worker-1", "B 0 1 .");
        ledger.record("worker-1", "A 0:100 1 .");
        ledger.record("worker-2", "A 1 .");

        DemoSummary summary = ledger.summary(dead(4), 1, -1);

        assertThat(summary.number("pushed")).isEqualTo(6);
        assertThat(summary.number("delivered")).isEqualTo(2);
        assertThat(summary.number("deadLettered")).isEqualTo(1);
        assertThat(summary.number("duplicates")).isEqualTo(1);
        assertThat(summary.number("unfinished")).isEqualTo(1);
        assertThat(summary.number("lost")).isEqualTo(2);
        assertThat(summary.isClean()).isFalse();
    }

    @Test
    void a_message_acked_and_dead_lettered_is_a_duplicate() {
        DemoQueuesLedger ledger = new DemoQueuesLedger(0);
        ledger.record("producer", "P 0 .");
        ledger.record("worker-1", "A 0 .");

        assertThat(ledger.summary(dead(0), 0, -1).number("duplicates")).isEqualTo(1);
    }

    @Test
    void an_ack_begun_by_a_killed_worker_is_what_the_storage_says_it_is() {
        DemoQueuesLedger ledger = new DemoQueuesLedger(0);
        ledger.record("producer", "P 0 1 .");
        ledger.record("worker-1", "G 0:0 1:0 .");
        ledger.record("worker-1", "B 0 1 .");
        ledger.record("worker-1", "A 0");
        ledger.record("worker-2", "A 1 .");

        DemoSummary empty = ledger.summary(dead(), 0, ledger.heldBy("worker-1").cardinality());
        assertThat(empty.number("heldByKilled")).isEqualTo(2);
        assertThat(empty.number("delivered")).isEqualTo(2);
        assertThat(empty.isClean()).isTrue();

        assertThat(ledger.summary(dead(), 1, 0).number("delivered")).isEqualTo(1);
    }

    private static BitSet dead(int... numbers) {
        BitSet dead = new BitSet();
        IntStream.of(numbers).forEach(dead::set);
        return dead;
    }
}
