package dev.jono.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** An example of the documentation as a source file. Its lines have the numbers that they have where it was found. */
final class JavaSnippet extends SimpleJavaFileObject {
    private static final String IMPORTS = """
            import dev.jono.*; import dev.jono.dashboard.*; import dev.jono.jobs.*; import dev.jono.json.*; import dev.jono.outbox.*; \
            import dev.jono.pipeline.*; \
            import com.mongodb.client.ClientSession; import dev.jono.backend.sqlite.SqliteTx; \
            import dev.jono.support.mongo.MongoStorage; import dev.jono.support.mongo.MongoTx; \
            import dev.jono.support.postgres.PostgresTx; \
            import java.sql.Connection; import java.sql.SQLException; \
            import java.nio.file.*; import java.time.*; import java.util.*; import java.util.concurrent.*; \
            """;

    private final String source;
    private final LongFunction<String> where;

    private JavaSnippet(String name, String source, LongFunction<String> where) {
        super(URI.create("string:///" + name + ".java"), Kind.SOURCE);
        this.source = source;
        this.where = where;
    }

    /**
     * A whole source file.
     *
     * @param name of a package of its own, so that snippets may declare classes of the same name
     * @param where names the place of a line
     */
    static JavaSnippet unit(String name, int line, String code, LongFunction<String> where) {
        StringBuilder text = new StringBuilder("package " + name + "; ");
        addAt(line, code, text);
        return new JavaSnippet(name, text.toString(), where);
    }

    /**
     * Statements.
     *
     * @param given member declarations that they use
     */
    static JavaSnippet statements(
            String name, int givenLine, String given, int line, String code, LongFunction<String> where) {
        StringBuilder text = new StringBuilder("package " + name + "; ");
        text.append(IMPORTS).append("class Snippet {");
        addAt(givenLine, given, text);
        text.append(" void snippet() throws Exception {");
        addAt(line, code, text);
        text.append("}}");
        return new JavaSnippet(name, text.toString(), where);
    }

    private static void addAt(int line, String code, StringBuilder text) {
        long at = 1 + text.chars().filter(c -> c == '\n').count();
        text.append("\n".repeat((int) (line - at))).append(code);
    }

    /** What the compiler finds fault with. */
    static List<String> compile(List<JavaSnippet> snippets, Path classes) throws IOException {
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        StringWriter other = new StringWriter();
        List<String> options = List.of(
                "--release",
                "17",
                "-proc:none",
                "-Xlint:deprecation,removal,unchecked,rawtypes",
                "-d",
                classes.toString());
        boolean success = ToolProvider.getSystemJavaCompiler()
                .getTask(other, null, found, options, null, snippets)
                .call();
        List<String> faults = new ArrayList<>();
        for (Diagnostic<? extends JavaFileObject> fault : found.getDiagnostics()) {
            String where = fault.getSource() instanceof JavaSnippet snippet
                    ? snippet.where.apply(fault.getLineNumber())
                    : "javac";
            faults.add(where + ": " + fault.getMessage(null));
        }
        assertThat(success || !faults.isEmpty()).as(other.toString()).isTrue();
        return faults;
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
