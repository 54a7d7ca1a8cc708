package dev.jono.dashboard.internal.page;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers and times as texts on pages. */
public final class Texts {
    private Texts() {}

    /** A number with separators. */
    public static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', '\u202f');
    }

    /** A rate. */
    public static String rate(double perSecond) {
        return perSecond >= 100 ? number(Math.round(perSecond)) : String.format(Locale.ROOT, "%.1f", perSecond);
    }

    /** A duration in its largest two units. */
    public static String duration(@Nullable Duration duration) {
        if (duration == null) {
            return "–";
        }
        long millis = duration.toMillis();
        if (millis < 1_000) {
            return millis + " ms";
        }
        long seconds = duration.toSeconds();
        if (seconds < 60) {
            return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
        }
        if (seconds < 3_600) {
            return seconds / 60 + " min " + seconds % 60 + " s";
        }
        return seconds < 86_400
                ? seconds / 3_600 + " h " + seconds / 60 % 60 + " min"
                : seconds / 86_400 + " d " + seconds / 3_600 % 24 + " h";
    }

    /** An instant to the second, in UTC. The script of the pages shows it in the zone of the viewer. */
    public static String instant(@Nullable Instant instant) {
        return instant == null
                ? "–"
                : instant.truncatedTo(ChronoUnit.SECONDS)
                        .toString()
                        .replace('T', ' ')
                        .replace("Z", " UTC");
    }

    /** A number of bytes. */
    public static String bytes(long bytes) {
        if (bytes < 1024) {
            return bytes + " bytes";
        }
        return bytes < 1 << 20
                ? String.format(Locale.ROOT, "%.1f KiB", bytes / 1024.0)
                : String.format(Locale.ROOT, "%.1f MiB", bytes / 1048576.0);
    }
}
