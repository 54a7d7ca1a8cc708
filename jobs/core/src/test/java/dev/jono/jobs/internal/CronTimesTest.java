package dev.jono.jobs.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The times of cron expressions, in particular where the clocks of a zone change. */
class CronTimesTest {
    /** Here the clocks change on 2026-03-29 from 02:00 to 03:00, and on 2026-10-25 from 03:00 to 02:00. */
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static List<String> next(String cron, ZoneId zone, String after, int number) {
        CronTimes times = CronTimes.of(cron, zone);
        List<String> found = new ArrayList<>();
        Instant at = OffsetDateTime.parse(after).toInstant();
        for (int i = 0; i < number; i++) {
            at = times.next(at).orElseThrow();
            found.add(at.atZone(zone).toOffsetDateTime().toString());
        }
        return found;
    }

    @Test
    void timeOfTheDayInAGapOccursAtItsEnd() {
        assertThat(next("30 2 * * *", BERLIN, "2026-03-28T00:00+01:00", 3))
                .containsExactly("2026-03-28T02:30+01:00", "2026-03-29T03:00+02:00", "2026-03-30T02:30+02:00");
        assertThat(next("0 2,3 * * *", BERLIN, "2026-03-29T00:00+01:00", 2))
                .as("both at the end of the gap: once")
                .containsExactly("2026-03-29T03:00+02:00", "2026-03-30T02:00+02:00");
        assertThat(next("30 2 29 3 *", BERLIN, "2026-03-29T01:59+01:00", 1)).containsExactly("2026-03-29T03:00+02:00");
    }

    @Test
    void timeOfTheDayInAnOverlapOccursOnce() {
        assertThat(next("30 2 * * *", BERLIN, "2026-10-25T00:00+02:00", 2))
                .containsExactly("2026-10-25T02:30+02:00", "2026-10-26T02:30+01:00");
        assertThat(next("30,45 2 * * *", BERLIN, "2026-10-25T02:10+01:00", 1))
                .as("from within the second hour")
                .containsExactly("2026-10-26T02:30+01:00");
    }

    @Test
    void repeatingTimesKeepTheirDistanceOverAGap() {
        assertThat(next("*/30 * * * *", BERLIN, "2026-03-29T01:10+01:00", 3))
                .containsExactly("2026-03-29T01:30+01:00", "2026-03-29T03:00+02:00", "2026-03-29T03:30+02:00");
        assertThat(next("5 * * * *", BERLIN, "2026-03-29T01:05+01:00", 1)).containsExactly("2026-03-29T03:05+02:00");
        assertThat(next("*/15 2 * * *", BERLIN, "2026-03-29T00:00+01:00", 1))
                .as("all are skipped")
                .containsExactly("2026-03-30T02:00+02:00");
    }

    @Test
    void repeatingTimesKeepTheirDistanceOverAnOverlap() {
        assertThat(next("*/30 * * * *", BERLIN, "2026-10-25T02:10+02:00", 5))
                .containsExactly(
                        "2026-10-25T02:30+02:00",
                        "2026-10-25T02:00+01:00",
                        "2026-10-25T02:30+01:00",
                        "2026-10-25T03:00+01:00",
                        "2026-10-25T03:30+01:00");
        assertThat(next("0 * * * *", BERLIN, "2026-10-25T01:00+02:00", 3))
                .containsExactly("2026-10-25T02:00+02:00", "2026-10-25T02:00+01:00", "2026-10-25T03:00+01:00");
    }

    /** In Cairo the day of the change begins at 01:00; Samoa skipped a whole day; Lord Howe changes by half an hour. */
    @Test
    void unusualChangesOfTheClockSkipNoDay() {
        assertThat(next("0 0 * * *", ZoneId.of("Africa/Cairo"), "2025-04-24T12:00+02:00", 2))
                .containsExactly("2025-04-25T01:00+03:00", "2025-04-26T00:00+03:00");
        assertThat(next("0 */2 * * *", ZoneId.of("Africa/Cairo"), "2025-04-24T22:00+02:00", 2))
                .containsExactly("2025-04-25T02:00+03:00", "2025-04-25T04:00+03:00");
        assertThat(next("0 9 * * *", ZoneId.of("Pacific/Apia"), "2011-12-29T09:00-10:00", 2))
                .containsExactly("2011-12-31T00:00+14:00", "2011-12-31T09:00+14:00");
        assertThat(next("15 2 * * *", ZoneId.of("Australia/Lord_Howe"), "2026-10-03T12:00+10:30", 1))
                .containsExactly("2026-10-04T02:30+11:00");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0 0 13 * 5      | 2026-11-13T00:00Z | 2026-11-20T00:00Z
            0 0 L * *       | 2026-02-01T00:00Z | 2026-02-28T00:00Z
            0 0 * * 5#1     | 2026-11-27T00:00Z | 2026-12-04T00:00Z
            0 0 * * FRIL    | 2026-11-01T00:00Z | 2026-11-27T00:00Z
            0 0 29 2 *      | 2026-11-27T00:00Z | 2028-02-29T00:00Z
            0 2 * * 7       | 2026-11-27T00:00Z | 2026-11-29T02:00Z
            0 2 * jan sun   | 2026-11-27T00:00Z | 2027-01-03T02:00Z
            */10 * * * * *  | 2026-11-27T00:00:09.999Z | 2026-11-27T00:00:10Z
            */10 * * * * *  | 2026-11-27T00:00:10Z | 2026-11-27T00:00:20Z
            * * * * * *     | 2026-11-27T00:00:09.757Z | 2026-11-27T00:00:10Z
            * * * * *       | 2026-11-27T00:00:09.757Z | 2026-11-27T00:01:00Z
            0 0 1 1 *       | 2026-11-27T00:00:09.757Z | 2027-01-01T00:00:00Z
            5/20 8-9 * * *  | 2026-11-27T08:25Z | 2026-11-27T08:45Z
            """)
    void fieldsHaveTheUsualMeaning(String cron, String after, String next) {
        assertThat(CronTimes.of(cron, ZoneOffset.UTC)
                        .next(OffsetDateTime.parse(after).toInstant()))
                .contains(OffsetDateTime.parse(next).toInstant());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            61 * * * *      | 61
            0 24 * * *      | 24
            0 0 32 * *      | 32
            0 0 * * 8       | 8
            * * * *         | 5 fields
            @daily          | 5 fields
            0 0 30 2 *      | no such day
            0 22-4 * * *    | 22
            */0 * * * *     | 0
            1,,2 * * * *    | Invalid
            a b c d e       | A
            0 0 ? * *       | 5 fields
            -5 * * * *      | -5
            ""              | 5 fields
            """)
    void otherTextsAreRefusedWithAReason(String cron, String reason) {
        assertThatThrownBy(() -> CronTimes.of(cron, BERLIN))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("'" + cron + "'", reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tr", "ar", "de"})
    void languageOfTheProcessDoesNotMatter(String language) {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag(language));
        try {
            assertThat(next("0 2 * jul,dec fri", ZoneOffset.UTC, "2026-11-27T00:00Z", 1))
                    .containsExactly("2026-12-04T02:00Z");
        } finally {
            Locale.setDefault(before);
        }
    }

    /** Compares the library with a search that tries each minute. */
    @Test
    void randomExpressionsHaveTheTimesOfASlowSearch() {
        Random random = new Random(11);
        for (int i = 0; i < 150; i++) {
            List<BitSet> sets = new ArrayList<>();
            StringBuilder cron = new StringBuilder();
            int[][] ranges = {{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 6}};
            for (int[] range : ranges) {
                BitSet set = new BitSet();
                cron.append(field(random, range[0], range[1], set)).append(' ');
                sets.add(set);
            }
            LocalDateTime after =
                    LocalDateTime.of(2026, 1 + random.nextInt(12), 1, 0, 0).plusMinutes(random.nextInt(40_000));
            LocalDateTime expected = search(cron.toString().split(" "), sets, after);
            if (expected != null) {
                assertThat(CronTimes.of(cron.toString(), ZoneOffset.UTC).next(after.toInstant(ZoneOffset.UTC)))
                        .as("%s after %s", cron, after)
                        .contains(expected.toInstant(ZoneOffset.UTC));
            }
        }
    }

    private static String field(Random random, int least, int most, BitSet set) {
        int first = least + random.nextInt(most - least + 1);
        int last = first + random.nextInt(most - first + 1);
        int step = 2 + random.nextInt(Math.max(1, most - 3));
        switch (random.nextInt(5)) {
            case 0 -> {
                set.set(first);
                return "" + first;
            }
            case 1 -> {
                set.set(first, last + 1);
                return first + "-" + last;
            }
            case 2 -> {
                for (int value = first; value <= last; value += step) {
                    set.set(value);
                }
                return first + "-" + last + "/" + step;
            }
            case 3 -> {
                set.set(first);
                set.set(last);
                return first + "," + last;
            }
            default -> {
                set.set(least, most + 1);
                return "*";
            }
        }
    }

    private static @Nullable LocalDateTime search(String[] fields, List<BitSet> sets, LocalDateTime after) {
        boolean both = fields[2].equals("*") || fields[4].equals("*");
        LocalDateTime end = after.plusYears(1);
        for (LocalDateTime time = after.plusMinutes(1); time.isBefore(end); time = time.plusMinutes(1)) {
            boolean day = sets.get(2).get(time.getDayOfMonth());
            boolean weekday = sets.get(4).get(time.getDayOfWeek().getValue() % 7);
            if (!sets.get(3).get(time.getMonthValue()) || !(both ? day && weekday : day || weekday)) {
                time = time.toLocalDate().plusDays(1).atStartOfDay().minusMinutes(1);
            } else if (sets.get(1).get(time.getHour()) && sets.get(0).get(time.getMinute())) {
                return time;
            }
        }
        return null;
    }

    @Test
    void timesAlwaysAdvance() {
        for (String zone : List.of("Europe/Berlin", "Africa/Cairo", "Pacific/Apia", "America/St_Johns")) {
            for (String cron : List.of("*/20 * * * *", "0 0,2,3 * * *", "30 */3 * * *")) {
                CronTimes times = CronTimes.of(cron, ZoneId.of(zone));
                Instant at = Instant.parse("2025-01-01T00:00:00Z");
                for (Instant next; at.isBefore(Instant.parse("2026-01-02T00:00:00Z")); at = next) {
                    next = times.next(at).orElseThrow();
                    assertThat(Duration.between(at, next)).isBetween(Duration.ofSeconds(1), Duration.ofHours(23));
                }
            }
        }
    }
}
