package dev.jono.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.JobEvent.Kind;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

/** The lines of the logger of events. */
class JobLoggerTest {
    /** The level and the text of each line. */
    private final List<String> lines = new ArrayList<>();

    private final Logger logger = (Logger) Proxy.newProxyInstance(
            Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (self, method, arguments) -> {
                Object[] values = arguments.length == 2 && arguments[1] instanceof Object[] array
                        ? array
                        : Arrays.copyOfRange(arguments, 1, arguments.length);
                lines.add(method.getName()
                        + ": "
                        + MessageFormatter.arrayFormat((String) arguments[0], values)
                                .getMessage());
                return null;
            });

    private void logAll(Set<Kind> leftOut) {
        JobLogger events = new JobLogger(logger, leftOut);
        for (Kind kind : Kind.values()) {
            JobProgress progress = kind == Kind.PROGRESS ? new JobProgress(1, 4, null) : null;
            events.onEvent(new JobEvent(kind, "resize:17", "resize", 2, Instant.EPOCH, progress, "no such file"));
        }
    }

    @Test
    void eachEventIsOneLine() {
        logAll(EnumSet.noneOf(Kind.class));
        assertThat(lines)
                .containsExactly(
                        "info: job resize:17 is enqueued",
                        "info: an enqueue was a duplicate of job resize:17",
                        "info: job resize:17 has started, attempt 2",
                        "info: job resize:17: 1 of 4 (25 %)",
                        "warn: attempt 2 of job resize:17 has failed, the job is retried: no such file",
                        "info: job resize:17 has succeeded at attempt 2",
                        "warn: job resize:17 has failed at attempt 2: no such file",
                        "info: job resize:17 was cancelled: no such file",
                        "warn: job resize:17 has expired: no such file",
                        "info: job resize:17 was removed",
                        "info: job resize:17 is snoozed, attempt 2 does not count",
                        "info: attempt 2 of job resize:17 was interrupted and does not count");
    }

    @Test
    void kindsCanBeLeftOut() {
        logAll(EnumSet.of(Kind.PROGRESS, Kind.FAILED));
        assertThat(lines).hasSize(Kind.values().length - 2).noneMatch(line -> line.contains("25 %"));
        JobLogger.all().onEvent(new JobEvent(Kind.REMOVED, "resize:17", "resize", 0, Instant.EPOCH, null, null));
        JobLogger.without(Kind.REMOVED)
                .onEvent(new JobEvent(Kind.REMOVED, "resize:17", "resize", 0, Instant.EPOCH, null, null));
    }
}
