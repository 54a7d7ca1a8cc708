package dev.jono.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A publication replaces the text between the marks and nothing else. */
class PublicationTest {
    private static final String BEGIN = "<!-- compare: written by benchmarks/compare -->";
    private static final String END = "<!-- compare: end -->";
    private static final String JOBS_BEGIN = "<!-- jobs: written by benchmarks/compare -->";
    private static final String JOBS_END = "<!-- jobs: end -->";

    @Test
    void onlyTheTextBetweenTheMarksChanges() {
        String page = "before\n" + BEGIN + "\nold\n" + END + "\nafter\n";
        String once = Publication.between(page, "compare", "new\n");
        assertThat(once).isEqualTo("before\n" + BEGIN + "\n\nnew\n\n" + END + "\nafter\n");
        assertThat(Publication.between(once, "compare", "new\n")).isEqualTo(once);
    }

    @Test
    void aPageWithoutMarksIsNotChanged() {
        assertThat(Publication.between("a page", "compare", "new")).isEqualTo("a page");
    }

    @Test
    void thePageNamesTheReportAndShowsTheFlow(@TempDir Path root) throws IOException {
        Path page = Files.createDirectory(root.resolve("docs")).resolve("performance.md");
        Files.writeString(page, BEGIN + "\n" + END + "\n");
        List<Cell> flow = List.of(TablesTest.cell("redis-oq", "flow-1", 600), TablesTest.cell("bullmq", "flow-1", 150));

        Publication.of(Map.of("at", "2026-01-01T00:00:00Z"), flow, page, root.resolve("benchmarks/results/run.md"));

        assertThat(Files.readString(page))
                .contains("`benchmarks/results/run.md`")
                .contains("## Steady flow: one process pushes, one takes")
                .contains("| 150 (150 to 150) | 4.00 |")
                .doesNotContain("](", "at least"); // neither links out of the site nor targets
    }

    @Test
    void aRunOfJobsReplacesOnlyTheTableOfJobs(@TempDir Path root) throws IOException {
        Path page = Files.createDirectory(root.resolve("docs")).resolve("performance.md");
        String queues = BEGIN + "\n\nqueues\n\n" + END + "\n";
        Files.writeString(page, queues + JOBS_BEGIN + "\nold\n" + JOBS_END + "\n");
        List<Cell> jobs = List.of(
                TablesTest.cell("jobs-redis-oq", "jobs", 600, 660), TablesTest.cell("jobs-bullmq", "jobs", 150, 150));

        Publication.of(Map.of("at", "2026-01-01T00:00:00Z"), jobs, page, root.resolve("benchmarks/results/run.md"));

        assertThat(Files.readString(page))
                .startsWith(queues + JOBS_BEGIN)
                .contains("`benchmarks/results/run.md`", "| 150 (150 to 150) | 4.20 (4.00 to 4.40) |")
                .doesNotContain("old", "](", "at least");
    }

    @Test
    void thePerformancePageHasTheMarks() throws Exception {
        assertThat(Files.readString(Path.of("../docs/performance.md"))).containsSubsequence(BEGIN, END);
    }
}
