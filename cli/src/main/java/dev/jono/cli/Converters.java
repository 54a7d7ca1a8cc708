package dev.jono.cli;

import dev.jono.DeadLetter;
import dev.jono.Durations;
import dev.jono.PayloadKind;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Converts arguments to values. */
final class Converters {
    private Converters() {}

    static void register(CommandLine line) {
        line.registerConverter(Duration.class, Converters::duration);
        line.registerConverter(Instant.class, Converters::instant);
        line.registerConverter(ZoneId.class, Converters::zone);
        line.registerConverter(DeadLetter.class, Converters::limit);
        line.registerConverter(PayloadKind.class, Converters::kind);
    }

    private static Duration duration(String text) {
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new TypeConversionException(
                    e instanceof ArithmeticException ? "'" + text + "' is longer than ten years" : ErrorLine.of(e));
        }
    }

    private static Instant instant(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            throw new TypeConversionException(
                    "'" + text + "' is not a time; expected, for example, 2030-12-31T23:59:00Z");
        }
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new TypeConversionException(
                    "'" + text + "' is not a time zone; expected, for example, Europe/Berlin");
        }
    }

    private static DeadLetter limit(String text) {
        try {
            return DeadLetter.after(Integer.parseInt(text));
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("expected a number of deliveries, 1 or more, but was '" + text + "'");
        }
    }

    private static PayloadKind kind(String text) {
        return Arrays.stream(PayloadKind.values())
                .filter(k -> k.label().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("expected one of "
                        + Arrays.stream(PayloadKind.values())
                                .map(PayloadKind::label)
                                .collect(Collectors.joining(", "))
                        + " but was '" + text + "'"));
    }
}
