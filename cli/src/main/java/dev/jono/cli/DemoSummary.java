package dev.jono.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * The result of a demo.
 *
 * @param pushed messages stored
 * @param scheduled messages that were scheduled for later
 * @param early messages delivered before their due time
 * @param delivered messages acked by a worker
 * @param redelivered deliveries after the first one of a message
 * @param heldByKilled messages that the killed worker held; -1 if no worker was killed
 * @param deadLettered messages in the dead-letter queue
 * @param doomed messages that the demo makes fail for ever
 * @param lost messages that were stored, and are neither delivered nor dead-lettered nor in a queue
 * @param unfinished messages still in a queue
 * @param duplicates acks of messages that were acked before, or dead-lettered
 */
record DemoSummary(
        long pushed,
        long scheduled,
        long early,
        long delivered,
        long redelivered,
        int heldByKilled,
        long deadLettered,
        long doomed,
        long lost,
        long unfinished,
        long duplicates,
        double seconds,
        long p50Micros,
        long p99Micros,
        long maxMicros) {

    boolean isClean() {
        return lost == 0 && duplicates == 0 && early == 0 && unfinished == 0;
    }

    private double messagesPerSecond() {
        return delivered / seconds;
    }

    List<String> table() {
        return List.of(
                row("pushed", pushed, ""),
                row("  of these scheduled", scheduled, early + " delivered early"),
                row("delivered", delivered, unfinished == 0 ? "" : unfinished + " still in the queues"),
                row(
                        "redelivered",
                        redelivered,
                        heldByKilled < 0 ? "no worker was killed" : "the killed worker held " + heldByKilled),
                row("dead-lettered", deadLettered, doomed + " expected"),
                row("lost", lost, ""),
                row("duplicates acknowledged", duplicates, ""),
                row(
                        "throughput",
                        Math.round(messagesPerSecond()),
                        String.format(Locale.ROOT, "per second, for %.1f s", seconds)),
                String.format(
                        Locale.ROOT,
                        "%-26s p50 %s, p99 %s, max %s",
                        "latency, push to delivery",
                        millis(p50Micros),
                        millis(p99Micros),
                        millis(maxMicros)));
    }

    private static String row(String name, long number, String remark) {
        String row = String.format(Locale.ROOT, "%-24s %,11d", name, number);
        return remark.isEmpty() ? row : row + "   " + remark;
    }

    private static String millis(long micros) {
        return String.format(Locale.ROOT, "%,.1f ms", micros / 1e3);
    }

    void fields(JsonGenerator json) throws IOException {
        json.writeNumberField("pushed", pushed);
        json.writeNumberField("scheduled", scheduled);
        json.writeNumberField("early", early);
        json.writeNumberField("delivered", delivered);
        json.writeNumberField("redelivered", redelivered);
        json.writeNumberField("heldByKilled", heldByKilled);
        json.writeNumberField("deadLettered", deadLettered);
        json.writeNumberField("doomed", doomed);
        json.writeNumberField("lost", lost);
        json.writeNumberField("unfinished", unfinished);
        json.writeNumberField("duplicates", duplicates);
        json.writeNumberField("seconds", Math.rint(seconds * 1e3) / 1e3);
        json.writeNumberField("messagesPerSecond", Math.rint(messagesPerSecond() * 10) / 10);
        json.writeNumberField("p50Micros", p50Micros);
        json.writeNumberField("p99Micros", p99Micros);
        json.writeNumberField("maxMicros", maxMicros);
    }
}
