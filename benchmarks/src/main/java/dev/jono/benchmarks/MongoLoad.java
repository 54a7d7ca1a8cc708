package dev.jono.benchmarks;

import dev.jono.JonoClock;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Sums up the commands that MongoDB ran in the rounds of one side, and the CPU time of MongoDB and of this JVM. */
final class MongoLoad {
    private static final JonoClock CLOCK = JonoClock.system();

    private final MongoTestbed testbed;
    private final Map<String, Long> commands = new TreeMap<>();
    private Map<String, Long> atStart = Map.of();
    private long messages;
    private double serverSeconds;
    private double clientSeconds;
    private double seconds;
    private double serverAtStart;
    private double clientAtStart;
    private long startNanos;

    MongoLoad(MongoTestbed testbed) {
        this.testbed = testbed;
    }

    void begin() {
        atStart = totals();
        serverAtStart = cpu(testbed.process());
        clientAtStart = cpu(ProcessHandle.current());
        startNanos = CLOCK.nanos();
    }

    void end(long done) {
        seconds += (CLOCK.nanos() - startNanos) / 1e9;
        serverSeconds += cpu(testbed.process()) - serverAtStart;
        clientSeconds += cpu(ProcessHandle.current()) - clientAtStart;
        messages += done;
        totals().forEach((name, total) -> {
            long more = total - atStart.getOrDefault(name, 0L);
            if (more > 0 && !name.equals("serverStatus")) {
                commands.merge(name, more, Long::sum);
            }
        });
    }

    private Map<String, Long> totals() {
        Map<String, Long> totals = new TreeMap<>();
        BsonDocument all = testbed.serverStatus().getDocument("metrics").getDocument("commands");
        for (Map.Entry<String, BsonValue> command : all.entrySet()) {
            if (command.getValue().isDocument()) {
                BsonValue total = command.getValue().asDocument().get("total");
                if (total != null && total.isNumber()) {
                    totals.put(command.getKey(), total.asNumber().longValue());
                }
            }
        }
        return totals;
    }

    private static double cpu(ProcessHandle process) {
        return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
    }

    /** Returns the figures for the result file. */
    Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("messages", messages);
        figures.put("commands", commands);
        figures.put("serverCores", serverSeconds / seconds);
        figures.put("clientCores", clientSeconds / seconds);
        return figures;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        commands.forEach((name, count) -> {
            if (count * 2000 > messages) {
                text.append(String.format(Locale.ROOT, "%s %.4f, ", name, (double) count / messages));
            }
        });
        return text
                + String.format(
                        Locale.ROOT,
                        "commands per message; cores used: MongoDB %.2f, this JVM %.2f",
                        serverSeconds / seconds,
                        clientSeconds / seconds);
    }
}
