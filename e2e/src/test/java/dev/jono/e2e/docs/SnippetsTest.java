package dev.jono.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every Java block of every Markdown file compiles. CONTRIBUTING.md says how a block is written. */
class SnippetsTest {
    private static final String IMPORTS = """
            import dev.jono.*; import dev.jono.pipeline.*; \
            import java.nio.file.*; import java.time.*; import java.util.*; import java.util.concurrent.*; \
            """;

    @TempDir
    Path classes;

    @Test
    void javaBlocksCompile() throws IOException {
        List<Snippet> snippets = new ArrayList<>();
        for (MarkdownPage page : MarkdownPage.all().values()) {
            for (MarkdownPage.JavaBlock block : page.javaBlocks) {
                snippets.add(new Snippet(page, block, "snippet" + snippets.size()));
            }
        }
        assertThat(compile(snippets)).isEmpty();
        assertThat(snippets).as("blocks found").hasSizeGreaterThan(20);
    }

    /** What the compiler finds fault with. */
    private List<String> compile(List<Snippet> snippets) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        StringWriter other = new StringWriter();
        boolean success = compiler.getTask(
                        other,
                        null,
                        found,
                        List.of(
                                "--release",
                                "17",
                                "-proc:none",
                                "-Xlint:deprecation,removal,unchecked,rawtypes",
                                "-d",
                                classes.toString()),
                        null,
                        snippets)
                .call();
        List<String> faults = new ArrayList<>();
        for (Diagnostic<? extends JavaFileObject> fault : found.getDiagnostics()) {
            String where =
                    fault.getSource() instanceof Snippet snippet ? snippet.page.at(fault.getLineNumber()) : "javac";
            faults.add(where + ": " + fault.getMessage(null));
        }
        assertThat(success || !faults.isEmpty()).as(other.toString()).isTrue();
        return faults;
    }

    /** A block as a source file. Its lines have the numbers that they have in the page. */
    private static final class Snippet extends SimpleJavaFileObject {
        private final MarkdownPage page;
        private final String source;

        /**
         * Completes the block.
         *
         * @param name of a package of its own, so that blocks may declare classes of the same name
         */
        Snippet(MarkdownPage page, MarkdownPage.JavaBlock block, String name) {
            super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
            this.page = page;
            StringBuilder text = new StringBuilder("package " + name + "; ");
            if (block.code().startsWith("import ")) {
                addAt(block.line(), block.code(), text);
            } else {
                text.append(IMPORTS).append("class Snippet {");
                addAt(block.givenLine(), block.given(), text);
                text.append(" void snippet() throws Exception {");
                addAt(block.line(), block.code(), text);
                text.append("}}");
            }
            this.source = text.toString();
        }

        private static void addAt(int line, String code, StringBuilder text) {
            long at = 1 + text.chars().filter(c -> c == '\n').count();
            text.append("\n".repeat((int) (line - at))).append(code);
        }

        @Override
        public boolean isNameCompatible(String className, Kind kind) {
            return true; // a public class of a page does not name the page
        }

        @Override
        public String getCharContent(boolean ignoreEncodingErrors) {
            return source;
        }
    }
}
