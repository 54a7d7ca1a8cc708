package dev.jono.examples.quarkus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The guide shows the code of this example. */
class GuideTest {
    private static final Pattern BLOCK = Pattern.compile("^```text\\n(.*?)^```", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Path SOURCES = Path.of("src/main/java/dev/jono/examples/quarkus");

    /** Without comments and line breaks. */
    private static String code(String text) {
        return text.replaceAll("(?s)/\\*\\*.*?\\*/", "").replaceAll("\\s+", " ").strip();
    }

    private static String source(String file) throws IOException {
        return code(Files.readString(SOURCES.resolve(file)));
    }

    @Test
    void codeOfTheGuideIsThatOfTheExample() throws IOException {
        List<String> blocks = BLOCK.matcher(Files.readString(Path.of("../../docs/guides/quarkus.md")))
                .results()
                .map((MatchResult block) -> code(block.group(1)))
                .toList();
        assertThat(blocks).hasSize(3);
        assertThat(source("Queues.java")).endsWith(blocks.get(0));
        assertThat(source("Shop.java")).endsWith(blocks.get(1));
        assertThat(source("Shipping.java")).endsWith(blocks.get(2));
    }
}
