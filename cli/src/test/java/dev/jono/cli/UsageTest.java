package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {
    private static final String NONSENSE = """
            pop
            pop URL
            pop URL q extra
            pop URL q -n 0
            pop URL q -n many
            pop URL q --wait 5
            pop URL q --wait -5s
            pop URL q --wait 999999999999999d
            pop URL q --max-deliveries 0
            push URL q 1 --file f
            push URL q 1 --delay 1s --at 2030-01-01T00:00:00Z
            push URL q 1 --at tomorrow
            push URL q 1 --as xml
            push URL q 1 --header nonsense
            push URL q 1 --header x-mine=1
            push URL q 1 --batch 0
            push URL q 1 --key k
            push URL q 1 --keyed --key\s
            push URL q 1 --keyed=0
            push URL q 1 --keyed=many
            push URL q 1 --unique u
            push URL q 1 --unique u --window 0s
            push URL q 1 --window 1h
            push URL q 1 --scope s
            pop URL q --keyed=0
            reserve URL q
            reserve URL q --then eat
            reserve URL q --then ack --delay 1s
            reserve URL q --then hold --lease 0s
            reserve URL q --then hold --keyed=1001
            settle URL q --as ack
            settle URL q receipt
            settle URL q receipt --as hold
            settle URL q receipt --as reject --delay 1s
            work URL q
            work URL q --exec true --concurrency 0
            work URL q --exec true --keyed=0
            pipe URL a
            pipe URL a b
            pipe URL a a --exec cat
            pipe URL a b --exec cat --concurrency 0
            pipe URL a b --exec cat --keyed=0
            pipe URL a b --exec cat --to-keyed=0
            pipe URL a b --exec cat --drop-on 0
            pipe URL a b --exec cat --drop-on 3 --reject-on 3
            pipe URL a b --exec cat --unchanged --as json
            pipe URL a b --exec cat --retry-delay 11m
            purge URL q
            drop URL q
            drop URL q --force
            remove URL q
            move URL a a
            move URL a b -n 0
            move URL a b --keyed=0
            move URL a b --to-keyed=0
            reschedule URL q
            reschedule URL q 17 --delay 5
            reschedule URL q 17 --at tomorrow
            reschedule URL q 17 --in 0s --at 2030-01-01T00:00:00Z
            redrive URL -n 0
            redrive URL 17 -n 1
            peek URL q -n 0
            history URL q -n 0
            bench URL --op fly
            bench URL --size 1
            bench URL --callers 0
            demo URL --lines 0
            demo URL --lines 5 --file f
            demo URL --jobs 999
            demo URL --act none
            demo URL --act jobs --lines 5
            demo URL --act queues --jobs 1000
            fly URL q
            """;

    @TempDir
    private Path directory;

    private String url() {
        return "sqlite:" + directory.resolve("q.db");
    }

    private static String[] words(String line) {
        return line.split(" ", -1);
    }

    static Stream<String> nonsense() {
        return NONSENSE.lines();
    }

    @ParameterizedTest
    @MethodSource("nonsense")
    void a_command_line_that_makes_no_sense_is_usage_and_touches_nothing(String line) {
        Jono.Run run = Jono.run(words(line.replace("URL", url())));

        run.ended(Exit.USAGE);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("jono: ").doesNotContain("Exception").doesNotContain("\tat ");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void no_command_at_all_is_usage() {
        assertThat(Jono.run().ended(Exit.USAGE).err()).contains("--help");
    }

    @Test
    void help_lists_the_commands_and_not_the_hidden_ones() {
        Jono.Run run = Jono.run("--help").ended(Exit.DONE);

        assertThat(run.out())
                .contains(
                        "push", "pop", "reserve", "settle", "peek", "work", "pipe", "info", "ls", "pause", "resume",
                        "purge", "drop")
                .contains("remove", "reschedule", "move", "redrive", "history", "backends", "schema", "bench", "demo")
                .doesNotContain("demo-worker", "demo-runner", "bench-producer");
    }

    @Test
    void every_command_explains_itself_and_the_common_options() {
        assertThat(Jono.run("push", "--help").ended(Exit.DONE).out())
                .contains("--ids", "--namespace", "--signaller", "--stats", "--max-deliveries", "--dead-letter");
    }

    @Test
    void common_options_may_stand_before_the_command() {
        Jono.run("--namespace", "other", "-v", "push", url(), "q", "1").ended(Exit.DONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "push memory: q 1",
                "pop memory: q",
                "reserve memory: q --then hold",
                "settle memory: q r --as ack",
                "peek memory: q",
                "work memory: q --exec true",
                "pipe memory: a b --exec cat",
                "info memory: q",
                "ls memory:",
                "pause memory: q",
                "resume memory: q",
                "purge memory: q --yes",
                "drop memory: q --yes",
                "remove memory: q id",
                "reschedule memory: q id",
                "move memory: a b",
                "redrive memory:",
                "history memory: q",
                "bench memory: --op e2e",
                "demo memory:"
            })
    void what_makes_no_sense_in_memory_is_refused_in_one_line(String line) {
        Jono.Run run = Jono.run(words(line)).ended(Exit.ERROR);

        assertThat(run.out()).isEmpty();
        assertThat(run.err().lines()).hasSize(1).first().asString().contains("cannot use 'memory:'");
    }

    @Test
    void an_unknown_backend_is_one_line_that_names_it_and_those_known() {
        Jono.Run run = Jono.run("pop", "stream-mongo:mongodb://localhost", "q").ended(Exit.ERROR);

        assertThat(run.err().lines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("jono: ")
                .contains("stream-mongo", "bucket-mongo-safe", "memory", "redis-oq", "sqlite");
    }

    @ParameterizedTest
    @CsvSource({
        "pop redis://u:s3cret@localhost/0 q, redis-list:redis://…; redis-oq:redis://…",
        "pop rediss://localhost/0 q, redis-oq:rediss://…",
        "pop redis-socket:///tmp/s q, redis-oq:redis-socket://…",
        "pop mongodb://localhost/x q, bucket-mongo-safe:mongodb://…; mongo:mongodb://…",
        "pop mongodb+srv://u:s3cret@localhost/x q, mongo:mongodb+srv://…",
        "push URL q 1 --signaller redis://localhost, redis-pubsub:redis://…",
        "push URL q 1 --stats mongodb://localhost, mongo:mongodb://…"
    })
    void a_uri_of_a_driver_alone_is_told_which_names_may_stand_before_it(String line, String names) {
        Jono.Run run = Jono.run(words(line.replace("URL", url()))).ended(Exit.ERROR);

        assertThat(run.err().lines()).hasSize(1).first().asString().contains(names.split("; "));
        assertThat(run.err()).doesNotContain("s3cret", "artifact");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pop redis-oq:redis://user:s3cret@localhost q",
                "pop Redis://user:s3cret@localhost q",
                "pop URL?jono.speed=1&password=s3cret q",
                "pop URL q --signaller redis-pubsub:redis://user:s3cret@localhost",
                "pop URL q --stats redis:redis://user:s3cret@localhost -v",
                "pop sqlite:/nowhere/at/all.db?secret=s3cret q -v"
            })
    void a_credential_is_never_printed(String line) {
        Jono.Run run = Jono.run(words(line.replace("URL", url()))).ended(Exit.ERROR);

        assertThat(run.out() + run.err()).doesNotContain("s3cret");
        assertThat(run.err()).startsWith("jono: ");
    }

    @Test
    void an_error_shows_its_stack_trace_only_when_asked() {
        assertThat(Jono.run("pop", "nonsense", "q").ended(Exit.ERROR).err().lines())
                .hasSize(1);
        assertThat(Jono.run("pop", "nonsense", "q", "-v").ended(Exit.ERROR).err())
                .contains("\tat dev.jono.");
    }

    @Test
    void a_queue_name_that_is_not_allowed_is_one_line() {
        Jono.Run run = Jono.run("push", url(), "no spaces", "1").ended(Exit.ERROR);

        assertThat(run.err().lines()).hasSize(1).first().asString().contains("no spaces");
    }

    @Test
    void backends_are_listed_with_what_they_can_do() {
        Jono.Run run = Jono.run("backends").ended(Exit.DONE);

        assertThat(run.json())
                .extracting(b -> b.get("type").textValue())
                .contains("memory", "sqlite", "redis-oq", "redis-list", "postgres");
        assertThat(run.lines()).anySatisfy(line -> assertThat(line).contains("sqlite", "SHARED", "DURABLE"));
    }

    @Test
    void exit_codes_leave_the_jvm() throws Exception {
        assertThat(Jono.runChild("pop", url() + "?jono.create=true", "q").code())
                .isEqualTo(Exit.NOTHING);
        assertThat(Jono.runChild("push", url(), "q", "{\"a\":1}").code()).isEqualTo(Exit.DONE);
        assertThat(Jono.runChild("pop", url(), "q"))
                .satisfies(run -> assertThat(run.code()).isEqualTo(Exit.DONE))
                .satisfies(run -> assertThat(run.one().get("payload")).isEqualTo(Jono.read("{\"a\":1}")))
                .satisfies(run -> assertThat(run.err()).isEmpty());
        assertThat(List.of(
                        Jono.runChild("pop").code(),
                        Jono.runChild("ls", "memory:").code()))
                .containsExactly(Exit.USAGE, Exit.ERROR);
    }
}
