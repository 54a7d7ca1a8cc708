package dev.jono.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The form of pages: short lines, short paragraphs, short first pages. */
class FormTest {
    private static final int MAX_LINE = 160;
    private static final int MAX_PARAGRAPH = 6;

    /** Reports that {@code benchmarks/compare} writes. */
    private static final Path REPORTS = Path.of("benchmarks", "results");

    @Test
    void linesAndParagraphsAreShort() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (MarkdownPage page : MarkdownPage.all().values()) {
            if (!page.path.startsWith(REPORTS)) {
                page.prose.forEach(prose -> check(page, prose, tooLong));
            }
        }
        assertThat(tooLong).isEmpty();
    }

    private static void check(MarkdownPage page, MarkdownPage.Prose prose, List<String> tooLong) {
        List<String> lines = prose.lines();
        if (lines.size() > MAX_PARAGRAPH) {
            tooLong.add(page.at(prose.line()) + ": a paragraph of " + lines.size() + " lines");
        }
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).length() > MAX_LINE) {
                tooLong.add(page.at(prose.line() + i) + ": a line of "
                        + lines.get(i).length() + " characters");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"README.md, 150", "CHANGELOG.md, 40", "docs/performance.md, 120"})
    void someWholePagesAreShort(Path path, int maxLines) throws IOException {
        Map<Path, MarkdownPage> pages = MarkdownPage.all();
        assertThat(Objects.requireNonNull(pages.get(path)).lines.size()).isLessThanOrEqualTo(maxLines);
    }
}
