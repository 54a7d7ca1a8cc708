package dev.jono.dashboard.internal.kue;

import dev.jono.dashboard.internal.http.ProblemException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs a list is about.
 *
 * @param type the name of the type; null for all
 * @param state the name of the state, as in the request; null for all
 * @param from the index of the first job, 0 or more
 * @param to the index of the last job
 * @param descending whether those with the largest numbers come first
 */
record KueRange(@Nullable String type, @Nullable String state, int from, int to, boolean descending) {
    /** The most jobs in one answer. */
    private static final int MAX_JOBS = 1_000;

    /** The last index that can be asked for: each list begins at the first job. */
    private static final int MAX_INDEX = 10_000;

    private static final Pattern NUMBER = Pattern.compile("\\s*([+-]?\\d{1,9}).*");

    /**
     * Checks the limits.
     *
     * @param to the index of the last job, as Redis counts them: negative ones from the end
     */
    static KueRange of(
            @Nullable String type, @Nullable String state, Optional<Integer> from, Optional<Integer> to, String order) {
        int first = from.orElseThrow(KueRange::notNumbers);
        int last = to.orElseThrow(KueRange::notNumbers);
        if (first < 0) {
            throw ProblemException.conflict("ranges that begin at the end are not supported");
        }
        if (first > MAX_INDEX || last > MAX_INDEX) {
            throw ProblemException.conflict("jobs after the first " + MAX_INDEX + " cannot be listed");
        }
        int most = first + MAX_JOBS - 1;
        return new KueRange(type, state, first, last < 0 ? most : Math.min(last, most), order.equals("desc"));
    }

    private static ProblemException notNumbers() {
        return ProblemException.conflict("ERR value is not an integer or out of range"); // as Redis says it to Kue
    }

    /** The number at the begin of a text, which JavaScript reads there too. */
    static Optional<Integer> leadingNumber(String text) {
        Matcher number = NUMBER.matcher(text);
        return number.matches() ? Optional.of(Integer.valueOf(number.group(1))) : Optional.empty();
    }

    /** Reads the path of a list, without {@code jobs} at its start: {@code [TYPE/]STATE/]FROM..TO[/ORDER]}; empty if it is none. */
    static Optional<KueRange> parse(List<String> path) {
        for (int i = 0; i < path.size() && i < 3; i++) {
            int dots = path.get(i).indexOf("..", 1);
            if (dots > 0 && dots + 2 < path.get(i).length() && path.size() <= i + 2) {
                String range = path.get(i);
                return Optional.of(of(
                        i == 2 ? path.get(0) : null,
                        i > 0 ? path.get(i - 1) : null,
                        leadingNumber(range.substring(0, dots)),
                        leadingNumber(range.substring(dots + 2)),
                        path.size() > i + 1 ? path.get(i + 1) : ""));
            }
        }
        return Optional.empty();
    }
}
