package dev.jono.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.e2e.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every Java example of the documentation compiles. CONTRIBUTING.md says how an example is written. */
class SnippetsTest {
    /** What examples of javadoc may use without declaring it. */
    private static final String GIVEN =
            "QueueFactory jono; MessageQueue<String> mails; record Order(String id) {} Order order; String url;";

    private static final Pattern EXAMPLE = Pattern.compile("(?s) \\* <pre>\\{@code\\n(.*?)\\n \\* }</pre>");

    @TempDir
    Path classes;

    @Test
    void javaBlocksOfPagesCompile() throws IOException {
        List<JavaSnippet> snippets = new ArrayList<>();
        for (MarkdownPage page : MarkdownPage.all().values()) {
            for (MarkdownPage.JavaBlock block : page.javaBlocks) {
                String name = "snippet" + snippets.size();
                snippets.add(
                        block.code().startsWith("import ")
                                ? JavaSnippet.unit(name, block.line(), block.code(), page::at)
                                : JavaSnippet.statements(
                                        name, block.givenLine(), block.given(), block.line(), block.code(), page::at));
            }
        }
        assertThat(JavaSnippet.compile(snippets, classes)).isEmpty();
        assertThat(snippets).as("blocks found").hasSizeGreaterThan(20);
    }

    @Test
    void examplesOfJavadocCompile() throws IOException {
        List<JavaSnippet> snippets = new ArrayList<>();
        Set<String> types = new TreeSet<>();
        for (Path file : publicTypes()) {
            String text = Files.readString(file);
            Matcher example = EXAMPLE.matcher(text);
            while (example.find()) {
                int line = 1
                        + (int) text.substring(0, example.start(1))
                                .chars()
                                .filter(c -> c == '\n')
                                .count();
                String code = example.group(1).replaceAll("(?m)^ \\* ?", "");
                types.add(file.getFileName().toString().replace(".java", ""));
                snippets.add(JavaSnippet.statements(
                        "example" + snippets.size(), 1, GIVEN, line, code, at -> file + ":" + at));
            }
        }
        assertThat(JavaSnippet.compile(snippets, classes)).isEmpty();
        assertThat(types)
                .contains(
                        "Interceptor",
                        "MessageQueue",
                        "PipelineBuilder",
                        "PushOptions",
                        "QueueFactory",
                        "QueueOptions",
                        "Reservation",
                        "Worker",
                        "WorkerBuilder");
    }

    private static List<Path> publicTypes() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String folder : List.of("", "pipeline", "spi", "json")) {
            try (Stream<Path> found = Files.list(
                    Checkout.root().resolve("api/src/main/java/dev/jono").resolve(folder))) {
                found.filter(file -> file.toString().endsWith(".java")).sorted().forEach(files::add);
            }
        }
        return files;
    }
}
