package dev.jono.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What stands between the marks is replaced, and nothing else. */
class PublicationTest {
    private static final String BEGIN = "<!-- compare: written by benchmarks/compare -->";
    private static final String END = "<!-- compare: end -->";

    @Test
    void onlyWhatIsBetweenTheMarksChanges() {
        String page = "before\n" + BEGIN + "\nold\n" + END + "\nbehind\n";
        String once = Publication.between(page, "new\n");
        assertThat(once).isEqualTo("before\n" + BEGIN + "\n\nnew\n\n" + END + "\nbehind\n");
        assertThat(Publication.between(once, "new\n")).isEqualTo(once);
    }

    @Test
    void aPageWithoutMarksStays() {
        assertThat(Publication.between("a page", "new")).isEqualTo("a page");
    }

    @Test
    void thePageHasThem() throws Exception {
        assertThat(Files.readString(Path.of("../docs/performance.md"))).containsSubsequence(BEGIN, END);
    }
}
