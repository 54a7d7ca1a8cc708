package dev.jono.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.RedisServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Standard output that accepts only a part of the output: a closed pipe, a full disk. */
class OutputTest {
    private static final int MESSAGES = 600;

    @TempDir
    private Path directory;

    private final String queue = "q" + UUID.randomUUID();

    private String url() {
        return "sqlite:" + directory.resolve("q.db");
    }

    /** Accepts this many lines, and a part of the next one. */
    private static final class Full extends OutputStream {
        private final int lines;
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private long seen;

        Full(int lines) {
            this.lines = lines;
        }

        @Override
        public void write(int b) throws IOException {
            if (seen == lines && b == '}') {
                throw new IOException("No space left on device");
            }
            taken.write(b);
            seen += b == '\n' ? 1 : 0;
        }
    }

    private static Jono.Run runInto(Full out, String... args) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Io io = new Io(new ByteArrayInputStream(new byte[0]), out, new PrintStream(err, true, UTF_8), false, false);
        int code = Main.run(io, args);
        return new Jono.Run(code, out.taken.toString(UTF_8), err.toString(UTF_8));
    }

    private void fill(String url, int messages) {
        String lines =
                IntStream.rangeClosed(1, messages).mapToObj(n -> n + "\n").collect(Collectors.joining());
        Jono.runWith(lines.getBytes(UTF_8), "push", url, queue).ended(Exit.DONE);
    }

    private List<Integer> rest(String url) {
        return Jono.run("pop", url, queue, "--all").json().stream()
                .map(m -> m.get("payload").intValue())
                .toList();
    }

    private static List<Integer> numbers(int from, int to) {
        return IntStream.rangeClosed(from, to).boxed().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "redis-list", "redis-oq", "mongo", "bucket-mongo-safe"})
    void what_pop_cannot_print_goes_back_to_its_place(String backend) {
        String url = backend.equals("sqlite")
                ? url()
                : backend + ":"
                        + (backend.contains("redis")
                                ? RedisServer.sharedUri()
                                : MongoReplicaSet.sharedUri("jono_test_output"));
        fill(url, 300);

        Jono.Run run = runInto(new Full(260), "pop", url, queue, "--all").ended(Exit.ERROR);

        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .contains("No space left on device", "40 messages taken and not printed went back to queue '" + queue);
        assertThat(rest(url)).isEqualTo(numbers(261, 300));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ack", "hold", "release", "reject"})
    void what_reserve_cannot_print_goes_back_to_its_place_and_the_rest_is_settled(String then) {
        fill(url(), 10);

        Jono.Run run = runInto(new Full(3), "reserve", url(), queue, "--all", "--then", then)
                .ended(Exit.ERROR);

        assertThat(run.err()).contains("7 messages reserved and not printed went back");
        assertThat(rest(url())).isEqualTo(numbers(then.equals("release") ? 1 : 4, 10));
    }

    @Test
    void messages_of_one_key_that_reserve_cannot_print_go_back_together() {
        Jono.run("push", url(), queue, "--keyed", "--key", "a", "1", "2", "3", "4", "5")
                .ended(Exit.DONE);

        Jono.Run run = runInto(new Full(2), "reserve", url(), queue, "--keyed", "--all", "--then", "ack")
                .ended(Exit.ERROR);

        assertThat(run.err()).contains("3 messages reserved and not printed went back");
        assertThat(Jono.run("pop", url(), queue, "--keyed", "--all").json())
                .extracting(m -> m.get("payload").intValue())
                .containsExactly(3, 4, 5);
    }

    @Test
    void a_push_that_cannot_tell_ids_says_what_it_has_stored() throws Exception {
        String lines = "1\n".repeat(MESSAGES);
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Io io = new Io(
                new ByteArrayInputStream(lines.getBytes(UTF_8)),
                new Full(100),
                new PrintStream(err, true, UTF_8),
                false,
                false);

        assertThat(Main.run(io, "push", url(), queue, "--ids", "--batch", "100"))
                .isEqualTo(Exit.ERROR);

        int stored = rest(url()).size();
        assertThat(err.toString(UTF_8))
                .contains(
                        "No space left on device",
                        "; " + stored + " messages stored",
                        "the last " + (stored - 100) + " of them without");
    }

    @Test
    void commands_that_change_something_say_what_when_they_cannot_print_it() {
        fill(url(), 3);
        assertThat(runInto(new Full(0), "move", url(), queue, "other")
                        .ended(Exit.ERROR)
                        .err())
                .contains("3 messages moved, but cannot write to standard output");
        assertThat(runInto(new Full(0), "purge", url(), "other", "--yes")
                        .ended(Exit.ERROR)
                        .err())
                .contains("3 messages purged, but");

        Jono.run("push", url(), queue, "1").ended(Exit.DONE);
        JsonNode held = Jono.run("reserve", url(), queue, "--then", "hold").one();
        String receipt = held.get("receipt").textValue();
        assertThat(runInto(new Full(0), "settle", url(), queue, receipt, "--as", "reject")
                        .ended(Exit.ERROR)
                        .err())
                .contains("1 message settled, but");
        assertThat(runInto(new Full(0), "redrive", url()).ended(Exit.ERROR).err())
                .contains("1 message redriven, but");
        assertThat(runInto(new Full(0), "drop", url(), queue, "--yes", "--force")
                        .ended(Exit.ERROR)
                        .err())
                .contains("dropped with 1 message, but");
    }

    /** With a real pipe whose reader has ended, and a full device. */
    @Test
    void a_closed_pipe_and_a_full_disk_lose_no_message() throws Exception {
        fill(url(), MESSAGES);
        List<String> seen = new ArrayList<>();
        for (String to : List.of(" | head -n 1", " >/dev/full")) {
            List<String> words = Jono.child("pop", url(), queue, "--all").command().stream()
                    .map(word -> "'" + word + "'")
                    .toList();
            Process shell = new ProcessBuilder("sh", "-c", String.join(" ", words) + to)
                    .redirectErrorStream(true)
                    .start();
            shell.getOutputStream().close();
            seen.addAll(Arrays.asList(new String(shell.getInputStream().readAllBytes(), UTF_8).split("\n")));
            shell.waitFor();
        }

        List<Integer> left = rest(url());
        assertThat(left).isEqualTo(numbers(MESSAGES - left.size() + 1, MESSAGES));
        assertThat(seen).last().asString().contains("256 messages taken and not printed went back");
    }
}
