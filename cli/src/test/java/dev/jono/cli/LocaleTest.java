package dev.jono.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command in processes with another environment. Its arguments are bytes, which shell scripts hold. */
class LocaleTest {
    /** Characters that other locales decode wrongly, as UTF-8: é, ö, 茶 and a bicycle. */
    private static final String WORD = "$'\\xc3\\xa9\\xc3\\xb6\\xe8\\x8c\\xb6\\xf0\\x9f\\x9a\\xb2'";

    private static final String READ = "éö茶🚲";

    @TempDir
    private Path directory;

    /** Builds a source tree in which the script finds everything up to date. */
    @BeforeEach
    void copyTheScript() throws IOException {
        Path tree = Files.createDirectories(directory.resolve("tree/cli/target"));
        new JarOutputStream(Files.newOutputStream(tree.resolve("jono-cli.jar"))).close();
        String present = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> new File(entry).exists())
                .collect(Collectors.joining(File.pathSeparator));
        Files.writeString(tree.resolve("classpath"), present);
        Files.copy(Path.of("../jono"), directory.resolve("tree/jono"));
        assertThat(directory.resolve("tree/jono").toFile().setExecutable(true)).isTrue();
        Files.createDirectory(directory.resolve("here"));
    }

    /** Runs shell lines in a process with no other variables; jono() is the script, and jvm() the main class. */
    private ProcessBuilder shell(String locale, String lines) throws IOException {
        Path script = Files.writeString(
                directory.resolve("lines"),
                "jono() { '" + directory.resolve("tree/jono") + "' \"$@\"; }\n"
                        + "jvm() { \"$JAVA_HOME/bin/java\" --enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 -cp '"
                        + System.getProperty("java.class.path") + "' dev.jono.cli.Main \"$@\"; }\n"
                        + lines.replace("@W", WORD) + "\n");
        ProcessBuilder builder = new ProcessBuilder("bash", script.toString())
                .directory(directory.resolve("here").toFile());
        String path = System.getenv("PATH");
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.put("PATH", path);
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        if (!locale.equals("none")) {
            environment.put("LC_ALL", locale);
        }
        if (locale.endsWith("ISO-8859-1")) {
            environment.put("LOCPATH", latin1());
        }
        return builder;
    }

    private String latin1() throws IOException {
        Path made = directory.resolve("locales");
        if (!Files.exists(made)) {
            Files.createDirectory(made);
            assumeThat(made("localedef", "-f", "ISO-8859-1", "-i", "en_US", made + "/en_US.ISO-8859-1"))
                    .as("a locale with ISO-8859-1 can be made here")
                    .isTrue();
        }
        return made.toString();
    }

    private static boolean made(String... line) {
        try {
            return new ProcessBuilder(line).start().onExit().join().exitValue() == 0;
        } catch (IOException noSuchCommand) {
            return false;
        }
    }

    private Jono.Run run(String locale, String lines) throws Exception {
        Path words = directory.resolve("words");
        Process process = shell(locale, lines).redirectError(words.toFile()).start();
        process.getOutputStream().close();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Jono.Run(process.waitFor(), out, Files.readString(words));
    }

    private String url() {
        return "sqlite:" + directory.resolve("here/q.db");
    }

    private List<JsonNode> popped(String file, String queue) {
        Path storage = directory.resolve("here").resolve(file);
        return Files.exists(storage)
                ? Jono.run("pop", "sqlite:" + storage, queue, "--all").json()
                : List.of();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "POSIX", "C.UTF-8", "en_US.ISO-8859-1", "xx_NOWHERE"})
    void words_files_and_folders_are_what_their_bytes_say(String locale) throws Exception {
        Jono.Run run = run(locale, """
                mkdir @W; cd @W; printf '\\xef\\xbb\\xbf"%s"\\n' @W >@W.jsonl
                jono push sqlite:@W.db q --header who=@W '{"name":"'@W'"}'
                jono push sqlite:@W.db q --file @W.jsonl
                jono push sqlite:@W.db q <@W.jsonl
                jono pop sqlite:@W.db q --all
                jono push sqlite:@W.db @W 1""");

        assertThat(run.ended(Exit.ERROR).err()).contains("'" + READ + "'").doesNotContain("?", "\ufffd");
        assertThat(run.json())
                .as("pushed messages; messages: %s", run.err())
                .extracting(line -> line.get("payload").toString())
                .containsExactly("{\"name\":\"" + READ + "\"}", "\"" + READ + "\"", "\"" + READ + "\"");
        assertThat(run.json().get(0).get("headers").get("who").textValue()).isEqualTo(READ);
        assertThat(directory.resolve("here").resolve(READ).resolve(READ + ".db"))
                .isRegularFile();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "C.UTF-8", "en_US.ISO-8859-1"})
    void commands_that_are_run_get_and_give_words_as_they_are_in_the_locale_of_their_caller(String locale)
            throws Exception {
        Jono.run("push", url(), "in", "--header", "who=" + READ, "\"" + READ + "\"")
                .ended(Exit.DONE);
        Process process = shell(
                        locale,
                        "export OWN=@W\njono pipe sqlite:q.db in out --max-deliveries 1 --exec 'read p; test -e @bad && exit 3;"
                                        .replace("@bad", "bad")
                                + " echo \"[$p,\\\"'@W'\\\",\\\"$OWN\\\",\\\"$JONO_HEADER_WHO\\\",$JONO_HEADERS,\\\"$LC_ALL\\\"]\"' &\n"
                                + "trap 'kill $!; wait $!' TERM; wait")
                .redirectErrorStream(true)
                .start();
        await().atMost(Duration.ofSeconds(40))
                .until(() -> Jono.run("info", url(), "in").one().get("total").intValue() == 0);
        List<ProcessHandle> started = process.descendants().toList();
        assertThat(process.toHandle().destroy()).isTrue();
        process.onExit().join();
        // The shell ends without the command that it has started.
        started.forEach(ProcessHandle::destroy);
        started.forEach(each -> each.onExit().join());

        List<JsonNode> out = popped("q.db", "out");
        assertThat(out).hasSize(1);
        JsonNode parts = out.get(0).get("payload");
        for (int i = 0; i < 4; i++) {
            assertThat(parts.get(i).textValue()).isEqualTo(READ);
        }
        assertThat(parts.get(4).get("who").textValue()).isEqualTo(READ);
        assertThat(parts.get(5).textValue()).isEqualTo(locale.equals("none") ? "" : locale);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "C.UTF-8", "en_US.ISO-8859-1"})
    void bytes_that_are_no_utf8_are_refused_and_never_replaced(String locale) throws Exception {
        Jono.Run refused =
                run(locale, "jono push sqlite:q.db q 1 $'\"Jos\\xe9\"'").ended(Exit.USAGE);
        assertThat(refused.err().lines())
                .singleElement()
                .asString()
                .contains("argument 5", "not UTF-8")
                .doesNotContain("Jos");
        assertThat(directory.resolve("here/q.db")).doesNotExist();

        run(locale, "jono push sqlite:q.db q '\"\ufffd\"'").ended(Exit.DONE);
        assertThat(popped("q.db", "q"))
                .singleElement()
                .satisfies(m -> assertThat(m.get("payload").textValue()).isEqualTo("\ufffd"));

        assertThat(run(locale, "mkdir jos$'\\xe9'; cd jos$'\\xe9'; jono push sqlite:q.db q 1")
                        .ended(Exit.ERROR)
                        .err())
                .contains("working directory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "POSIX", "en_US.ISO-8859-1"})
    void without_the_script_a_jvm_that_cannot_take_a_word_refuses_it(String locale) throws Exception {
        run(locale, "jvm push sqlite:q.db q '{\"name\":\"Jose\"}'").ended(Exit.DONE);
        for (String line : List.of(
                "jvm push sqlite:q.db q '\"'@W'\"'",
                "jvm push sqlite:@W.db q 1",
                "jvm work sqlite:q.db q --exec cat",
                "jvm pipe sqlite:q.db q other --exec cat",
                "mkdir @W; cd @W; jvm push sqlite:q.db q 1")) {
            Jono.Run refused = run(locale, line).ended(Exit.ERROR);
            assertThat(refused.err().lines()).singleElement().asString().contains("LC_ALL=C.UTF-8");
        }
        assertThat(popped("q.db", "q")).hasSize(1);
    }

    @Test
    void without_the_script_a_jvm_with_utf8_takes_every_word() throws Exception {
        run("C.UTF-8", "jvm push sqlite:@W.db q '\"'@W'\"'").ended(Exit.DONE);

        assertThat(popped(READ + ".db", "q"))
                .singleElement()
                .satisfies(m -> assertThat(m.get("payload").textValue()).isEqualTo(READ));
        assertThat(run("C.UTF-8", "jvm push sqlite:q.db q $'\"Jos\\xe9\"'").code())
                .isEqualTo(Exit.USAGE);
    }

    @Test
    void words_about_words_are_utf8_without_the_script_too() throws Exception {
        Jono.run("push", url(), "q", "--header", "who=" + READ, "1").ended(Exit.DONE);

        assertThat(run("C", "jvm pop sqlite:q.db q")
                        .one()
                        .get("headers")
                        .get("who")
                        .textValue())
                .isEqualTo(READ);
    }
}
