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

    @Test
    void onlyTheTextBetweenTheMarksChanges() {
        String page = "before\n" + BEGIN + "\nold\n" + END + "\nafter\n";
        String once = Publication.between(page, "new\n");
        assertThat(once).isEqualTo("before\n" + BEGIN + "\n\nnew\n\n" + END + "\nafter\n");
        assertThat(Publication.between(once, "new\n")).isEqualTo(once);
    }

    @Test
    void aPageWithoutMarksIsNotChanged() {
        assertThat(Publication.between("a page", "new")).isEqualTo("a page");
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
    void thePerformancePageHasTheMarks() throws Exception {
        assertThat(Files.readString(Path.of("../docs/performance.md"))).containsSubsequence(BEGIN, END);
    }
}
