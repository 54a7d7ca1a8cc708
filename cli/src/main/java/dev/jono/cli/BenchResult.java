package dev.jono.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Locale;

/** The result of a benchmark. */
record BenchResult(
        String op,
        String backend,
        BenchPlan plan,
        long messages,
        double seconds,
        long p50Micros,
        long p99Micros,
        long maxMicros,
        long lost,
        long duplicates) {
    static final String HEADING = String.format(
            Locale.ROOT,
            "%-12s %8s %7s %10s %9s %12s %10s %10s %6s %10s",
            "op",
            "callers",
            "batch",
            "messages",
            "seconds",
            "messages/s",
            "p50 us",
            "p99 us",
            "lost",
            "duplicates");

    double messagesPerSecond() {
        return messages / seconds;
    }

    boolean isClean() {
        return lost == 0 && duplicates == 0;
    }

    String row() {
        return String.format(
                Locale.ROOT,
                "%-12s %8d %7d %10d %9.2f %12.0f %10d %10d %6d %10d",
                op,
                plan.callers(),
                plan.batch(),
                messages,
                seconds,
                messagesPerSecond(),
                p50Micros,
                p99Micros,
                lost,
                duplicates);
    }

    void fields(JsonGenerator json) throws IOException {
        json.writeStringField("op", op);
        json.writeStringField("backend", backend);
        json.writeNumberField("callers", plan.callers());
        json.writeStringField("mode", "async");
        json.writeNumberField("batch", plan.batch());
        json.writeNumberField("size", plan.size());
        json.writeNumberField("messages", messages);
        json.writeNumberField("seconds", round(seconds, 1e6));
        json.writeNumberField("messagesPerSecond", round(messagesPerSecond(), 10));
        json.writeNumberField("p50Micros", p50Micros);
        json.writeNumberField("p99Micros", p99Micros);
        json.writeNumberField("maxMicros", maxMicros);
        json.writeNumberField("lost", lost);
        json.writeNumberField("duplicates", duplicates);
        if (op.equals("e2e")) {
            json.writeNumberField("rate", plan.rate());
        }
    }

    private static double round(double value, double steps) {
        return Math.rint(value * steps) / steps;
    }
}
