package dev.jono.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The tables contain each cell, and compare each contestant with its own counterpart. */
class TablesTest {
    private static final double[] NONE = {0, 0};

    private static Contestant contestant(String id) {
        return Contestants.all().stream()
                .filter(contestant -> contestant.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    static Cell cell(String contestant, String work, int... rates) {
        Cell cell = new Cell(contestant(contestant), work);
        for (int rate : rates) {
            cell.add(RoundResult.of(rate, 0, 1_000_000_000, NONE, NONE).with("round", cell.rounds() + 1));
        }
        return cell;
    }

    private static String table(List<Cell> cells, Map<Contestant, String> absent) {
        return Tables.markdown(Map.of("at", "2026-01-01T00:00:00Z", "rounds", 2), cells, absent);
    }

    @Test
    void mediansAndRatiosOfTheRoundsThatBothHave() {
        String text =
                table(List.of(cell("redis-oq", "flow-1", 300, 900, 600), cell("bullmq", "flow-1", 100, 200)), Map.of());
        assertThat(text)
                .contains(
                        "| **Jono redis-oq** | Redis, AOF everysec | all | all but the last 1 to 2 s | 600 (300 to 900) |")
                .contains("| 150 (100 to 200) | 3.75 |")
                .contains("| redis-oq, flow-1 / bullmq, flow-1 | at least 5.0 | 3.75 (3.00 to 4.50) | **not met** |");
    }

    @Test
    void aRoundOfJobsHasTwoStepsAndARateOfBoth() {
        String text = table(
                List.of(
                        cell("jobs-redis-oq", "jobs", 600, 600),
                        cell("jobs-redis-oq", "jobs enqueue", 800, 900),
                        cell("jobs-redis-oq", "jobs run", 1200, 1200),
                        cell("jobs-bullmq-keep", "jobs", 100, 120),
                        cell("jobs-bullmq-keep", "jobs enqueue", 200, 200),
                        cell("jobs-bullmq-keep", "jobs run", 300, 300)),
                Map.of());
        assertThat(text)
                .contains("| 850 (800 to 900) | 1,200 (1,200 to 1,200) | 600 (600 to 600) |  |")
                .contains("| 200 (200 to 200) | 300 (300 to 300) | 110 (100 to 120) | 5.50 (5.00 to 6.00) |")
                .contains(
                        "| jobs-redis-oq, jobs / jobs-bullmq-keep, jobs | at least 5.0 | 5.50 (5.00 to 6.00) | met |");
    }

    @Test
    void eachTargetOfJobsNeedsTheMedianOfItsRounds() {
        Map<String, Integer> theirs = Map.of(
                "jobs-bullmq-keep", 20,
                "jobs-bullmq", 25,
                "jobs-queue-farm", 5,
                "jobs-jobrunr-mongo", 21,
                "jobs-db-scheduler", 3,
                "jobs-jobrunr-sqlite", 2);
        List<Cell> cells = new ArrayList<>();
        theirs.forEach((id, rate) -> {
            cells.add(cell(id, "jobs", rate));
            cells.add(cell(contestant(id).counterpart(), "jobs", 100));
        });
        assertThat(Targets.of(cells))
                .extracting(Targets.Target::what, Targets.Target::met)
                .containsExactlyInAnyOrder(
                        tuple("jobs-redis-oq, jobs / jobs-bullmq-keep, jobs", true),
                        tuple("jobs-redis-oq, jobs / jobs-bullmq, jobs", true),
                        tuple("jobs-redis-oq-keyed, jobs / jobs-queue-farm, jobs", true),
                        tuple("jobs-mongo, jobs / jobs-jobrunr-mongo, jobs", false),
                        tuple("jobs-sqlite, jobs / jobs-db-scheduler, jobs", true),
                        tuple("jobs-sqlite, jobs / jobs-jobrunr-sqlite, jobs", true));
    }

    @Test
    void aContestantIsComparedWithOneOfEqualDurability() {
        String text = table(
                List.of(
                        cell("redis-oq", "flow-1", 900),
                        cell("redis-oq-always", "flow-1", 100),
                        cell("rabbitmq", "flow-1", 50)),
                Map.of());
        assertThat(text).contains("| 50 (50 to 50) | 2.00 |");
    }

    @Test
    void aCellWithTroubleIsListed() {
        Cell hung = cell("bullmq", "flow-1");
        hung.trouble("hung: no answer within 15 s");
        hung.trouble("another");
        assertThat(table(List.of(hung), Map.of(contestant("rabbitmq"), "no rabbitmq-server")))
                .contains("| BullMQ | Redis, AOF everysec | all | all but the last 1 to 2 s | none ⚠ |")
                .contains("- bullmq, flow-1: hung: no answer within 15 s")
                .doesNotContain("another")
                .contains("- rabbitmq: not run: no rabbitmq-server");
    }

    @Test
    void aCellWithFewerRoundsIsListed() {
        assertThat(table(List.of(cell("redis-oq", "flow-1", 300, 900), cell("jobrunr", "flow-1", 100)), Map.of()))
                .contains("- jobrunr, flow-1: (1 rounds)")
                .doesNotContain("- redis-oq, flow-1");
    }

    @Test
    void allBackendsAreOnTheClassPath() {
        assertThat(Contestants.all().stream().filter(Contestant::ours).map(Contestant::id))
                .contains(
                        "redis-oq",
                        "redis-list",
                        "mongo",
                        "pl-mongo",
                        "bucket-mongo-safe",
                        "bucket-mongo",
                        "sqlite",
                        "memory");
    }

    @Test
    void eachCounterpartIsAContestantOfJono() {
        assertThat(Contestants.all()).allSatisfy(contestant -> {
            if (!contestant.counterpart().isEmpty()) {
                assertThat(contestant(contestant.counterpart()).ours()).isTrue();
            }
        });
        assertThat(Contestants.all().stream().map(Contestant::id)).doesNotHaveDuplicates();
    }
}
