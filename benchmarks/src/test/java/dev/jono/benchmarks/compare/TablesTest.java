package dev.jono.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

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
            cell.add(RoundResult.of(rate, 0, 1_000_000_000, NONE, NONE));
        }
        return cell;
    }

    private static String table(List<Cell> cells, Map<Contestant, String> absent) {
        return Tables.markdown(Map.of("at", "2026-01-01T00:00:00Z", "rounds", 2), cells, absent);
    }

    @Test
    void mediansAndRatios() {
        String text =
                table(List.of(cell("redis-oq", "flow-1", 300, 900, 600), cell("bullmq", "flow-1", 100, 200)), Map.of());
        assertThat(text)
                .contains(
                        "| **Jono redis-oq** | Redis, AOF everysec | all | all but the last 1 to 2 s | 600 (300 to 900) |")
                .contains("| 150 (100 to 200) | 4.00 |")
                .contains("| redis-oq, flow-1 / bullmq, flow-1 | at least 5.0 | 4.00 | **not met** |");
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
