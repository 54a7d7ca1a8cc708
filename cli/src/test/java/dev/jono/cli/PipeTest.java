package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stages that run shell commands, each in a process of its own. */
class PipeTest {
    @TempDir
    private Path directory;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endAll() {
        started.forEach(Process::destroyForcibly);
    }

    private String sqlite() {
        return "sqlite:" + directory.resolve("q.db");
    }

    enum Where {
        SQLITE,
        PL_MONGO,
        REDIS
    }

    private String url(Where where) {
        return switch (where) {
            case SQLITE -> sqlite();
            case REDIS -> "redis-oq:" + RedisServer.sharedUri();
            case PL_MONGO -> {
                String uri = MongoReplicaSet.sharedUri("jono_test_pipe");
                yield "pl-mongo:" + uri + (uri.contains("?") ? "&" : "?") + "jono.one-database=true&jono.pipeline=p"
                        + UUID.randomUUID();
            }
        };
    }

    private Process pipe(String url, String from, String to, String command, String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of("pipe", url, from, to, "--exec", command));
        args.addAll(List.of(more));
        Process process = Jono.child(args.toArray(String[]::new))
                .redirectError(directory.resolve(from + ".err").toFile())
                .start();
        started.add(process);
        return process;
    }

    private String words(String from) throws IOException {
        return Files.readString(directory.resolve(from + ".err"));
    }

    /** Sends SIGTERM, and waits for an orderly end. */
    private static void stop(Process process) throws Exception {
        assertThat(process.toHandle().destroy()).isTrue();
        assertThat(process.onExit().get().exitValue()).isEqualTo(Exit.DONE);
    }

    private static int count(String url, String queue, String what) {
        return Jono.run("info", url, queue).ended(Exit.DONE).one().get(what).intValue();
    }

    private static void awaitCount(String url, String queue, int count) {
        await().atMost(Duration.ofSeconds(50))
                .untilAsserted(() -> assertThat(count(url, queue, "total")).isEqualTo(count));
    }

    @ParameterizedTest
    @EnumSource
    void two_stages_in_a_row_change_the_payload_and_keep_id_and_headers(Where where) throws Exception {
        String url = url(where);
        String run = UUID.randomUUID().toString();
        String first = "first" + run;
        String second = "second" + run;
        String third = "third" + run;
        Process stages = pipe(url, first, second, "tr a-z A-Z");
        Process more = pipe(url, second, third, "sed s/A/b/g", "--concurrency", "2");
        String id = Jono.run("push", url, first, "--ids", "--header", "tenant=acme", "{\"a\": \"xay\"}")
                .one()
                .get("id")
                .textValue();
        Jono.run("push", url, first, "\"a\"", "\"c\"").ended(Exit.DONE);
        awaitCount(url, third, 3);
        stop(stages);
        stop(more);

        List<JsonNode> come =
                Jono.run("pop", url, third, "--all").ended(Exit.DONE).json();
        assertThat(come)
                .extracting(m -> m.get("payload").toString())
                .containsExactlyInAnyOrder("{\"b\":\"XbY\"}", "\"b\"", "\"C\"");
        assertThat(come)
                .filteredOn(m -> m.get("id").textValue().equals(id))
                .singleElement()
                .satisfies(m ->
                        assertThat(m.get("headers").get("tenant").textValue()).isEqualTo("acme"));
        assertThat(count(url, first, "total") + count(url, second, "total")).isZero();
        assertThat(words(first)).contains("3 moved, 0 dropped, 0 rejected, 0 failed");
    }

    @Test
    void a_command_knows_the_message_from_its_environment() throws Exception {
        Jono.run("push", sqlite(), "in", "--header", "Trace-Id=7", "--header", "who=a b", "1")
                .ended(Exit.DONE);
        Process stage = pipe(
                sqlite(),
                "in",
                "out",
                "echo \"$JONO_ID|$JONO_QUEUE|$JONO_TRIES|$JONO_ATTEMPT|$JONO_HEADER_TRACE_ID|$JONO_HEADER_WHO"
                        + "|$JONO_HEADERS\"",
                "--as",
                "string");
        awaitCount(sqlite(), "out", 1);
        stop(stage);

        JsonNode message = Jono.run("pop", sqlite(), "out").one();
        assertThat(message.get("kind").textValue()).isEqualTo("string");
        assertThat(message.get("payload").textValue().split("\\|"))
                .containsExactly(
                        message.get("id").textValue(),
                        "in",
                        "0",
                        "1",
                        "7",
                        "a b",
                        message.get("headers").toString());
    }

    @Test
    void failures_are_retried_with_the_reason_until_they_are_dead_letters() throws Exception {
        Jono.run("push", sqlite(), "in", "1").ended(Exit.DONE);
        Process stage = pipe(
                sqlite(),
                "in",
                "out",
                "echo try $JONO_ATTEMPT; echo no such customer >&2; exit 7",
                "--retry-delay",
                "10ms",
                "--max-deliveries",
                "3");
        awaitCount(sqlite(), "__deadletter__", 1);
        stop(stage);

        JsonNode headers = Jono.run("peek", sqlite(), "__deadletter__").one().get("headers");
        assertThat(headers.get("x-dl-error").textValue()).endsWith("exit code 7: no such customer");
        assertThat(headers.get("x-dl-reason").textValue()).isEqualTo("limit");
        assertThat(words("in")).contains("attempt 1", "attempt 3", "3 failed").doesNotContain("attempt 4", "\tat ");
        assertThat(count(sqlite(), "out", "total")).isZero();
    }

    @Test
    void exit_codes_drop_and_reject() throws Exception {
        Jono.run("push", sqlite(), "in", "10", "20", "0").ended(Exit.DONE);
        Process stage = pipe(
                sqlite(),
                "in",
                "out",
                "n=$(cat); echo about $n >&2; [ $n = 0 ] && echo '\"zero\"'; exit $n",
                "--drop-on",
                "9,10",
                "--reject-on",
                "20");
        awaitCount(sqlite(), "__deadletter__", 1);
        awaitCount(sqlite(), "out", 1);
        awaitCount(sqlite(), "in", 0);
        stop(stage);

        JsonNode dead = Jono.run("peek", sqlite(), "__deadletter__").one();
        assertThat(dead.get("payload").intValue()).isEqualTo(20);
        assertThat(dead.get("headers").get("x-dl-reason").textValue()).isEqualTo("rejected");
        assertThat(dead.get("headers").get("x-dl-error").textValue()).endsWith("exit code 20: about 20");
        assertThat(words("in")).contains("1 moved, 1 dropped, 1 rejected, 0 failed");
    }

    @Test
    void what_is_no_payload_is_a_failure_and_the_payload_may_stay_as_it_is() throws Exception {
        Jono.run("push", sqlite(), "in", "1").ended(Exit.DONE);
        Process stage = pipe(sqlite(), "in", "out", "true", "--max-deliveries", "1");
        awaitCount(sqlite(), "__deadletter__", 1);
        stop(stage);
        assertThat(words("in")).contains("the output of the command is not a JSON value: it is empty");

        Jono.run("push", sqlite(), "kept", "{\"a\":  1}").ended(Exit.DONE);
        Process kept = pipe(sqlite(), "kept", "out", "echo seen", "--unchanged");
        awaitCount(sqlite(), "out", 1);
        stop(kept);
        assertThat(new String(kept.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("seen\n");
        assertThat(Jono.run("pop", sqlite(), "out").ended(Exit.DONE).out()).contains("{\"a\":  1}");
    }

    @Test
    void a_command_that_runs_too_long_is_ended_and_its_message_counts_as_tried() throws Exception {
        Jono.run("push", sqlite(), "in", "1").ended(Exit.DONE);
        Process stage = pipe(sqlite(), "in", "out", "sleep 600", "--max-runtime", "200ms", "--max-deliveries", "2");
        awaitCount(sqlite(), "__deadletter__", 1);
        stop(stage);

        assertThat(Jono.run("peek", sqlite(), "__deadletter__")
                        .one()
                        .get("headers")
                        .get("x-dl-error")
                        .textValue())
                .endsWith("ran longer than 200ms");
        assertThat(words("in")).contains("0 moved, 0 dropped, 0 rejected, 2 failed");
    }

    @Test
    void what_could_not_be_moved_is_counted_as_failed() throws Exception {
        Jono.run("push", sqlite(), "in", "1").ended(Exit.DONE);
        Process stage = pipe(
                sqlite(),
                "in",
                "out",
                "head -c 1100000 /dev/zero | tr '\\0' x",
                "--as",
                "string",
                "--max-deliveries",
                "1");
        awaitCount(sqlite(), "__deadletter__", 1);
        stop(stage);

        assertThat(words("in")).contains("0 moved, 0 dropped, 0 rejected, 1 failed");
    }

    @Test
    void a_signal_lets_the_running_command_finish_and_starts_no_other() throws Exception {
        Path begun = directory.resolve("begun");
        Path go = directory.resolve("go");
        Jono.run("push", sqlite(), "in", "1", "2").ended(Exit.DONE);
        Process stage = pipe(
                sqlite(), "in", "out", "touch '" + begun + "'; while [ ! -e '" + go + "' ]; do sleep 0.05; done; cat");
        await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(begun));
        assertThat(stage.toHandle().destroy()).isTrue();
        await().during(Duration.ofMillis(500)).until(stage::isAlive);
        Files.createFile(go);

        assertThat(stage.onExit().get().exitValue()).isEqualTo(Exit.DONE);
        assertThat(count(sqlite(), "out", "size")).isEqualTo(1);
        assertThat(count(sqlite(), "in", "size")).isEqualTo(1);
        assertThat(count(sqlite(), "in", "reserved")).isZero();
    }

    @Test
    void a_backend_that_cannot_move_is_refused_in_one_line() {
        Jono.Run refused = Jono.run("pipe", "redis-list:" + RedisServer.sharedUri(), "a", "b", "--exec", "cat")
                .ended(Exit.ERROR);
        assertThat(refused.err().lines()).hasSize(1);
        assertThat(refused.err()).contains("redis-list", "MOVE");
    }
}
