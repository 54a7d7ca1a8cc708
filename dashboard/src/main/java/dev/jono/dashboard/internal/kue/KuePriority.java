package dev.jono.dashboard.internal.kue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.jobs.JobPriority;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;

/** The priorities of Kue: five names, and numbers of which lower ones come first. */
final class KuePriority {
    private static final String INVALID = "invalid priority";

    private KuePriority() {}

    /** The priority in a request: a name or a number. */
    static JobPriority of(JsonNode value) {
        if (value.isNumber()) {
            return nearest(value.asDouble());
        }
        return Arrays.stream(JobPriority.values())
                .filter(priority -> priority.name().equals(value.asText().toUpperCase(Locale.ROOT)))
                .findFirst()
                .or(() -> KueRange.leadingNumber(value.asText()).map(KuePriority::nearest))
                .orElseThrow(() -> ProblemException.bad(INVALID));
    }

    /** The priority in a path, of which Kue reads the number at the begin. */
    static JobPriority ofPath(String text) {
        return nearest(KueRange.leadingNumber(text).orElseThrow(() -> ProblemException.conflict(INVALID)));
    }

    /** The priority whose number is the nearest one; the more urgent one of two. */
    private static JobPriority nearest(double number) {
        return Arrays.stream(JobPriority.values())
                .min(Comparator.comparingDouble((JobPriority priority) -> Math.abs(priority.number() - number))
                        .thenComparingInt(JobPriority::number))
                .orElseThrow();
    }
}
