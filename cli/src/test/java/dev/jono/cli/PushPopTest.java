package dev.jono.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PushPopTest {
    @TempDir
    private Path directory;

    private String url() {
        return "sqlite:" + directory.resolve("q.db");
    }

    private JsonNode info() {
        return Jono.run("info", url(), "q").ended(Exit.DONE).one();
    }

    @Test
    void what_is_pushed_is_popped_in_order_and_then_there_is_nothing() {
        Jono.run("push", url(), "q", "{\"n\":1}", "[2]", "\"three\"").ended(Exit.DONE);

        Jono.Run first = Jono.run("pop", url(), "q").ended(Exit.DONE);
        assertThat(first.one().fieldNames()).toIterable().containsExactly("id", "payload", "kind", "tries", "headers");
        assertThat(first.one().get("payload")).isEqualTo(Jono.read("{\"n\":1}"));
        assertThat(first.one().get("kind").textValue()).isEqualTo("json");
        assertThat(first.one().get("tries").intValue()).isZero();

        Jono.Run rest = Jono.run("pop", url(), "q", "--all").ended(Exit.DONE);
        assertThat(rest.json()).extracting(m -> m.get("payload").toString()).containsExactly("[2]", "\"three\"");
        assertThat(Jono.run("pop", url(), "q", "--all").ended(Exit.NOTHING).out())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "12345678901234567890123456789.000100",
                "{\"big\":9223372036854775807,\"small\":-9223372036854775808,\"exact\":1.10,\"e\":1E+2}",
                "[[],[[]],{},\"\"]",
                "{\"a\":1,\"a\":2,  \"spaced\" : true}",
                "\"\\u0000 \\ud83d\\udeb2 日本茶 \\\" \\\\ \"",
                "false"
            })
    void json_comes_back_to_the_character(String json) {
        Jono.run("push", url(), "q", json).ended(Exit.DONE);

        assertThat(Jono.run("pop", url(), "q").ended(Exit.DONE).out())
                .contains("\"payload\":" + json + ",\"kind\":\"json\"");
    }

    @Test
    void json_over_several_lines_stays_on_one() {
        Jono.run("push", url(), "q", "{\n  \"a\": \"x\\ny\",\r\n  \"b\": 2\n}").ended(Exit.DONE);

        assertThat(Jono.run("pop", url(), "q").ended(Exit.DONE).one().get("payload"))
                .isEqualTo(Jono.read("{\"a\":\"x\\ny\",\"b\":2}"));
    }

    @Test
    void text_and_bytes_come_back_as_what_they_are() {
        String text = "tab\t, quote \", nul \0, line separator \u2028, 🚲";
        byte[] bytes = {0, 1, -1, '\n', '\r', 127, -128};
        Jono.run("push", url(), "q", "--as", "string", text).ended(Exit.DONE);
        Jono.run("push", url(), "q", "--as", "bytes", Base64.getEncoder().encodeToString(bytes))
                .ended(Exit.DONE);

        Jono.Run pop = Jono.run("pop", url(), "q");
        assertThat(pop.out()).contains("🚲");
        JsonNode first = pop.one();
        assertThat(first.get("kind").textValue()).isEqualTo("string");
        assertThat(first.get("payload").textValue()).isEqualTo(text);
        JsonNode second = Jono.run("pop", url(), "q").one();
        assertThat(second.get("kind").textValue()).isEqualTo("bytes");
        assertThat(Base64.getDecoder().decode(second.get("payload").textValue()))
                .isEqualTo(bytes);
    }

    @Test
    void an_at_sign_does_not_name_a_file() {
        Jono.run("push", url(), "q", "--as", "string", "@/etc/hostname").ended(Exit.DONE);

        assertThat(Jono.run("pop", url(), "q").one().get("payload").textValue()).isEqualTo("@/etc/hostname");
    }

    @Test
    void lines_are_read_from_standard_input() {
        Jono.Run push = Jono.runWith("{\"n\":1}\r\n2\n3".getBytes(UTF_8), "push", url(), "q")
                .ended(Exit.DONE);

        assertThat(push.out()).isEmpty();
        assertThat(push.err()).startsWith("3 messages stored in queue 'q'");
        assertThat(Jono.run("pop", url(), "q", "--all").json())
                .extracting(m -> m.get("payload").toString())
                .containsExactly("{\"n\":1}", "2", "3");
    }

    @Test
    void ids_are_those_of_the_messages_in_order() throws Exception {
        Path file = directory.resolve("lines");
        Files.writeString(
                file, IntStream.range(0, 2_500).mapToObj(i -> i + "\n").collect(Collectors.joining()));

        Jono.Run push = Jono.run("push", url(), "q", "--file", file.toString(), "--ids", "--batch", "100")
                .ended(Exit.DONE);
        Jono.Run pop = Jono.run("pop", url(), "q", "--all").ended(Exit.DONE);

        assertThat(push.json()).hasSize(2_500);
        assertThat(pop.json())
                .extracting(m -> m.get("payload").intValue())
                .isSorted()
                .hasSize(2_500);
        assertThat(pop.json())
                .extracting(m -> m.get("id").textValue())
                .isEqualTo(
                        push.json().stream().map(i -> i.get("id").textValue()).toList());
    }

    @Test
    void an_id_is_told_as_soon_as_its_message_is_stored_while_input_is_waited_for() throws Exception {
        PipedInputStream input = new PipedInputStream();
        CompletableFuture<Jono.Run> push;
        try (PipedOutputStream typed = new PipedOutputStream(input)) {
            push = CompletableFuture.supplyAsync(() -> Jono.runWith(input, "push", url(), "q", "--ids"));
            typed.write("1\n".getBytes(UTF_8));
            typed.flush();

            await().untilAsserted(
                            () -> assertThat(info().get("size").intValue()).isEqualTo(1));
            assertThat(push).isNotDone();
        }
        assertThat(push.get().ended(Exit.DONE).lines()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":", "hello", "", "1 2", "null", " null ", "{'a':1}", "NaN"})
    void a_line_that_is_no_json_is_named_and_the_others_are_stored(String bad) {
        String lines = IntStream.range(0, 700).mapToObj(i -> i + "\n").collect(Collectors.joining()) + bad + "\n800\n";

        Jono.Run push =
                Jono.runWith(lines.getBytes(UTF_8), "push", url(), "q", "--ids").ended(Exit.ERROR);

        assertThat(push.err().lines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("jono: line 701 is ")
                .endsWith("; 701 messages stored in queue 'q'");
        assertThat(push.lines()).hasSize(701);
        assertThat(info().get("total").intValue()).isEqualTo(701);
    }

    @Test
    void many_bad_lines_are_counted_in_one_line_that_names_the_first() {
        String lines = IntStream.range(0, 1_000)
                .mapToObj(i -> i % 100 == 50 ? "oops\n" : i + "\n")
                .collect(Collectors.joining());

        Jono.Run push = Jono.runWith(lines.getBytes(UTF_8), "push", url(), "q", "--batch", "7")
                .ended(Exit.ERROR);

        assertThat(push.err().lines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("jono: line 51 is not a JSON value")
                .endsWith("; 10 refused in total: 51, 151, 251, 351, 451, …; 990 messages stored in queue 'q'");
        assertThat(info().get("total").intValue()).isEqualTo(990);
    }

    @Test
    void json_that_is_nested_absurdly_is_refused() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);

        Jono.Run push = Jono.runWith(("1\n" + deep + "\n").getBytes(UTF_8), "push", url(), "q")
                .ended(Exit.ERROR);

        assertThat(push.err().lines()).hasSize(1).first().asString().contains("line 2 ", "1 message stored");
    }

    @Test
    void text_that_is_not_utf8_and_bytes_that_are_not_base64_are_refused() {
        byte[] latin1 = {'a', (byte) 0xe4, '\n'};

        assertThat(Jono.runWith(latin1, "push", url(), "q", "--as", "string")
                        .ended(Exit.ERROR)
                        .err())
                .contains("line 1 is not UTF-8");
        assertThat(Jono.run("push", url(), "q", "--as", "bytes", "?")
                        .ended(Exit.ERROR)
                        .err())
                .contains("payload 1 is not base64");
    }

    @Test
    void a_payload_over_the_limit_is_named_and_its_neighbours_are_stored() {
        String lines = "1\noops\n\"" + "x".repeat((1 << 20) + 1) + "\"\n4\n";

        Jono.Run push =
                Jono.runWith(lines.getBytes(UTF_8), "push", url(), "q", "--ids").ended(Exit.ERROR);

        assertThat(push.err().lines())
                .hasSize(1)
                .first()
                .asString()
                .contains("line 2 is not a JSON value", "2 refused in total: 2, 3;", "2 messages stored");
        assertThat(push.lines()).hasSize(2);
        assertThat(Jono.run("pop", url(), "q", "--all").json())
                .extracting(m -> m.get("payload").intValue())
                .containsExactly(1, 4);
    }

    @Test
    void a_message_of_a_mebibyte_passes() {
        String text = "x".repeat(1 << 20);

        Jono.runWith(text.getBytes(UTF_8), "push", url(), "q", "--as", "string").ended(Exit.DONE);

        assertThat(Jono.run("pop", url(), "q").one().get("payload").textValue()).isEqualTo(text);
    }

    @Test
    void headers_travel_with_the_message() {
        Jono.run("push", url(), "q", "1", "--header", "tenant=acme", "--header", "query=a=b")
                .ended(Exit.DONE);

        assertThat(Jono.run("pop", url(), "q").one().get("headers"))
                .isEqualTo(Jono.read("{\"tenant\":\"acme\",\"query\":\"a=b\"}"));
    }

    @Test
    void a_delayed_message_is_scheduled_and_comes_to_who_waits() {
        Jono.run("push", url(), "q", "1", "--delay", "3s").ended(Exit.DONE);

        assertThat(info().get("scheduled").intValue()).isEqualTo(1);
        Jono.run("pop", url(), "q").ended(Exit.NOTHING);
        assertThat(Jono.run("pop", url(), "q", "--wait", "20s").ended(Exit.DONE).lines())
                .hasSize(1);
    }

    @Test
    void a_due_time_is_kept() {
        Instant due = Instant.parse("2099-12-31T23:59:00Z");
        Jono.run("push", url(), "q", "1", "--at", "2100-01-01T01:59:00+02:00").ended(Exit.DONE);

        assertThat(info().get("nextMaturity").textValue()).isEqualTo(due.toString());
        assertThat(Jono.run("peek", url(), "q").one().get("state").textValue()).isEqualTo("scheduled");
    }

    @Test
    void a_missing_file_is_one_line() {
        Jono.Run push =
                Jono.run("push", url(), "q", "--file", "/nowhere/at/all").ended(Exit.ERROR);

        assertThat(push.err().lines()).hasSize(1).first().asString().contains("no such file: /nowhere/at/all");
    }

    @Test
    void a_closed_pipe_is_an_error_and_not_an_endless_run() throws Exception {
        byte[] lines = IntStream.range(0, 20_000)
                .mapToObj(i -> i + "\n")
                .collect(Collectors.joining())
                .getBytes(UTF_8);
        Jono.runWith(lines, "push", url(), "q").ended(Exit.DONE);

        Path words = directory.resolve("words");
        Process reserve = Jono.child("reserve", url(), "q", "--all", "--then", "ack")
                .redirectError(words.toFile())
                .start();
        reserve.getInputStream().close();

        assertThat(reserve.onExit().get().exitValue()).isEqualTo(Exit.ERROR);
        assertThat(Files.readString(words).lines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("jono: cannot write to standard output");
        await().atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(info().get("size").intValue()).isGreaterThan(15_000));
    }

    @Test
    void a_paused_queue_is_not_mistaken_for_an_empty_one() {
        Jono.run("push", url(), "q", "1").ended(Exit.DONE);
        Jono.run("pause", url(), "q").ended(Exit.DONE);

        assertThat(Jono.run("pop", url(), "q").ended(Exit.NOTHING).err()).contains("queue 'q' is paused");
        assertThat(Jono.run("reserve", url(), "q", "--then", "ack")
                        .ended(Exit.NOTHING)
                        .err())
                .contains("queue 'q' is paused");
    }
}
