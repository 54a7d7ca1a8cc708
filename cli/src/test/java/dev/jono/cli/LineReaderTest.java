package dev.jono.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineReaderTest {
    private static List<String> read(String input) throws IOException {
        LineReader reader = new LineReader(new ByteArrayInputStream(input.getBytes(UTF_8)), 1 << 20);
        List<String> lines = new ArrayList<>();
        while (reader.advance()) {
            lines.add(new String(reader.line(), UTF_8));
            assertThat(reader.number()).isEqualTo(lines.size());
        }
        assertThat(reader.bytesRead()).isEqualTo(input.getBytes(UTF_8).length);
        return lines;
    }

    @Test
    void lines_end_with_lf_or_crlf_or_the_end() throws IOException {
        assertThat(read("")).isEmpty();
        assertThat(read("\n")).containsExactly("");
        assertThat(read("a\nb\r\nc")).containsExactly("a", "b", "c");
        assertThat(read("a\n\n\nb\n")).containsExactly("a", "", "", "b");
        assertThat(read("a\rb\n")).containsExactly("a\rb");
    }

    @Test
    void a_byte_order_mark_before_the_first_line_is_skipped() throws Exception {
        assertThat(read("\ufeff1\n\ufeff2")).containsExactly("1", "\ufeff2");
        assertThat(read("\ufeff\n2")).containsExactly("", "2");
        assertThat(read("\ufeff")).isEmpty();
    }

    @Test
    void lines_longer_than_the_buffer_stay_whole() throws IOException {
        String exact = "x".repeat(1 << 16);
        assertThat(read(exact + "\n" + exact + "y\nz")).containsExactly(exact, exact + "y", "z");
        assertThat(read("x".repeat((1 << 16) - 1) + "\nz\n")).containsExactly("x".repeat((1 << 16) - 1), "z");
    }

    @Test
    void a_line_that_is_too_long_is_refused_before_it_fills_the_memory_and_the_next_is_read() throws IOException {
        byte[] input = ("x".repeat(200_000) + "\nb\n").getBytes(UTF_8);
        LineReader reader = new LineReader(new ByteArrayInputStream(input), 100_000);

        assertThat(reader.advance()).isTrue();
        assertThatThrownBy(reader::line)
                .isInstanceOf(CliException.class)
                .hasMessage("line 1 is longer than 100000 bytes");
        assertThat(reader.advance()).isTrue();
        assertThat(new String(reader.line(), UTF_8)).isEqualTo("b");
        assertThat(reader.advance()).isFalse();
    }
}
