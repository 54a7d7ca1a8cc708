package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkTest {
    @TempDir
    private Path directory;

    private String url() {
        return "sqlite:" + directory.resolve("q.db");
    }

    private JsonNode info(String queue) {
        return Jono.run("info", url(), queue).ended(Exit.DONE).one();
    }

    private void awaitTotal(String queue, int total) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(info(queue).get("total").intValue()).isEqualTo(total));
    }

    private Process work(String command, String... more) throws IOException {
        String[] args = new String[more.length + 5];
        System.arraycopy(new String[] {"work", url(), "q", "--exec", command}, 0, args, 0, 5);
        System.arraycopy(more, 0, args, 5, more.length);
        return Jono.child(args).redirectErrorStream(true).start();
    }

    /** Sends SIGTERM. Unlike Process.destroy it does not close the output. */
    private static void terminate(Process process) {
        assertThat(process.toHandle().destroy()).isTrue();
    }

    @Test
    void a_command_gets_the_payload_and_the_environment_and_its_success_acks() throws Exception {
        Path seen = directory.resolve("seen");
        String id = Jono.run("push", url(), "q", "--ids", "{\"n\": 1.10}")
                .one()
                .get("id")
                .textValue();

        Process work = work("cat > '" + seen + ".tmp'; echo \" $JONO_ID $JONO_QUEUE $JONO_TRIES\" >> '" + seen
                + ".tmp'; mv '" + seen + ".tmp' '" + seen + "'");
        awaitTotal("q", 0);
        terminate(work);

        assertThat(work.onExit().get().exitValue()).isEqualTo(Exit.DONE);
        assertThat(seen).hasContent("{\"n\": 1.10} " + id + " q 0");
    }

    @Test
    void failure_retries_until_the_message_is_given_up() throws Exception {
        Jono.run("push", url(), "q", "1").ended(Exit.DONE);

        Process work = work("echo try $JONO_TRIES; exit 7", "--max-deliveries", "2");
        awaitTotal("__deadletter__", 1);
        terminate(work);

        assertThat(new String(work.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("try 0\n", "try 1\n", "0 succeeded, 2 failed")
                .doesNotContain("try 2", "\tat ");
        assertThat(Jono.run("peek", url(), "__deadletter__")
                        .one()
                        .get("headers")
                        .get("x-dl-error")
                        .textValue())
                .contains("exit code 7");
    }

    @Test
    void every_delivery_that_does_not_succeed_is_counted_as_failed() throws Exception {
        Jono.run("push", url(), "q", "1").ended(Exit.DONE);

        Process work = work("sleep 600", "--max-runtime", "200ms", "--max-deliveries", "2");
        awaitTotal("__deadletter__", 1);
        terminate(work);

        assertThat(new String(work.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("0 succeeded, 2 failed", "ran longer than 200ms")
                .doesNotContain("PT", "\tat ");
    }

    @Test
    void headers_that_no_variable_can_hold_come_in_a_file() throws Exception {
        Path seen = directory.resolve("seen");
        String long200k = "x".repeat(200_000);
        Jono.run("push", url(), "q", "--header", "big=" + long200k, "--header", "small=7", "1")
                .ended(Exit.DONE);

        Process work = work("echo \"$JONO_HEADERS_FILE|$JONO_HEADERS|$JONO_HEADER_BIG|$JONO_HEADER_SMALL\" >'" + seen
                + "'; cat \"$JONO_HEADERS_FILE\" >>'" + seen + "'");
        awaitTotal("q", 0);
        terminate(work);

        assertThat(new String(work.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("1 succeeded, 0 failed");
        List<String> lines = Files.readAllLines(seen);
        assertThat(lines.get(0)).matches("/.*[|][|][|]7");
        assertThat(Jono.read(lines.get(1)).get("big").textValue()).isEqualTo(long200k);
        assertThat(Path.of(lines.get(0).substring(0, lines.get(0).indexOf('|'))))
                .doesNotExist();
    }

    @Test
    void a_signal_lets_the_running_command_finish_and_starts_no_other() throws Exception {
        Path started = directory.resolve("started");
        Path go = directory.resolve("go");
        Jono.run("push", url(), "q", "1", "2").ended(Exit.DONE);

        Process work = work("touch '" + started + "'; while [ ! -e '" + go + "' ]; do sleep 0.05; done");
        await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(started));
        terminate(work);
        await().during(Duration.ofMillis(500)).until(work::isAlive);
        Files.createFile(go);

        assertThat(work.onExit().get().exitValue()).isEqualTo(Exit.DONE);
        assertThat(info("q").get("size").intValue()).isEqualTo(1);
        assertThat(info("q").get("reserved").intValue()).isZero();
    }

    @Test
    void a_second_signal_ends_it_with_its_commands() throws Exception {
        Path started = directory.resolve("started");
        Jono.run("push", url(), "q", "1").ended(Exit.DONE);

        Process work = work("echo $$ > '" + started + ".tmp'; mv '" + started + ".tmp' '" + started + "'; sleep 600");
        await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(started));
        ProcessHandle command = ProcessHandle.of(
                        Long.parseLong(Files.readString(started).strip()))
                .orElseThrow();
        terminate(work);
        await().during(Duration.ofMillis(300)).until(work::isAlive);
        terminate(work);

        assertThat(work.onExit().get().exitValue()).isEqualTo(128 + 15);
        await().until(() -> !command.isAlive());
        assertThat(info("q").get("total").intValue()).isEqualTo(1);
    }

    @Test
    void large_payloads_reach_commands_that_do_not_read_them_and_those_that_do() throws Exception {
        Path size = directory.resolve("size");
        byte[] large = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
        Jono.runWith(large, "push", url(), "q", "--as", "string").ended(Exit.DONE);
        Jono.runWith(large, "push", url(), "q", "--as", "string").ended(Exit.DONE);

        Process work = work("[ -e '" + size + "' ] || wc -c > '" + size + "'");
        awaitTotal("q", 0);
        terminate(work);

        assertThat(Files.readString(size).strip()).isEqualTo("1048576");
        assertThat(work.onExit().get().exitValue()).isEqualTo(Exit.DONE);
    }
}
