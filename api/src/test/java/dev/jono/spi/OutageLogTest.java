package dev.jono.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.StorageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutageLogTest {
    private static final String LOG = "outage";

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream before = System.err;
    private final HandClock clock = new HandClock();
    private final OutageLog outages = new OutageLog(clock);

    @BeforeEach
    void listen() {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restore() {
        System.setErr(before);
    }

    private List<String> warnings() {
        return written.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("WARN"))
                .toList();
    }

    @Test
    void aKindOfFailureIsALineAMinuteWhateverItsArguments() {
        for (int i = 0; i < 500; i++) {
            clock.advance(Duration.ofMillis(100));
            outages.warn(LOG, new StorageException("down", null, null, null), "queue '{}' cannot be read", "q" + i);
        }
        assertThat(warnings()).singleElement().asString().endsWith("queue 'q0' cannot be read: down");

        outages.warn(LOG, null, "another thing fails");
        assertThat(warnings()).hasSize(2).last().asString().endsWith("another thing fails");

        clock.advance(Duration.ofSeconds(20));
        outages.warn(LOG, new StorageException("down", null, null, null), "queue '{}' cannot be read", "q");
        assertThat(warnings())
                .hasSize(3)
                .last()
                .asString()
                .endsWith("queue 'q' cannot be read: down (and 499 more like it since the last line)");
    }

    @Test
    void aFailureThatCannotBeDescribedHarmsNobody() {
        outages.warn(LOG, new BrokenException(), "queue '{}' cannot be read", "q");
        assertThat(warnings()).singleElement().asString().contains("cannot be read: ", "BrokenException");
    }

    private static final class BrokenException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new AssertionError("broken");
        }
    }

    @Test
    void aReasonIsOneLineWithoutTheWrappersOfFutures() {
        assertThat(OutageLog.reason(new CompletionException(new StorageException("no\n  room", null, null, null))))
                .isEqualTo("no room");
        assertThat(OutageLog.reason(new IllegalStateException("x"))).isEqualTo("java.lang.IllegalStateException: x");
        assertThat(OutageLog.reason(new StorageException("x".repeat(5_000), null, null, null)))
                .hasSizeLessThan(1_100);
        assertThat(OutageLog.reason(new BrokenException())).contains("BrokenException");
    }
}
