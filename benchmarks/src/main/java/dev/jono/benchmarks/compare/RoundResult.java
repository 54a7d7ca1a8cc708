package dev.jono.benchmarks.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The figures of one round of one cell. */
final class RoundResult {
    private final int count;
    private final double seconds;
    private final Map<String, Object> figures = new LinkedHashMap<>();
    private @Nullable DeliveryCheck check;
    private int[] micros = new int[0];

    private RoundResult(int count, double seconds) {
        this.count = count;
        this.seconds = seconds;
    }

    /** Returns the result of a round; the CPU times are those of {@link Session#cpu}. */
    static RoundResult of(int count, long beginNanos, long endNanos, double[] cpuBefore, double[] cpuAfter) {
        RoundResult result = new RoundResult(count, Math.max(1, endNanos - beginNanos) / 1e9);
        result.figures.put("messages", count);
        result.figures.put("seconds", result.seconds);
        result.figures.put("perSecond", result.perSecond());
        result.figures.put("clientCpuSecondsPerMillion", (cpuAfter[0] - cpuBefore[0]) * 1e6 / count);
        result.figures.put("serverCpuSecondsPerMillion", (cpuAfter[1] - cpuBefore[1]) * 1e6 / count);
        return result;
    }

    /** Returns the result of a round with two steps, which handle the same messages: this one, and then another one. */
    RoundResult then(RoundResult next) {
        RoundResult both = new RoundResult(count, seconds + next.seconds);
        both.figures.put("messages", count);
        both.figures.put("seconds", both.seconds);
        both.figures.put("perSecond", both.perSecond());
        for (String cpu : List.of("clientCpuSecondsPerMillion", "serverCpuSecondsPerMillion")) {
            both.figures.put(cpu, number(cpu) + next.number(cpu));
        }
        return both;
    }

    private double number(String figure) {
        return figures.get(figure) instanceof Number number ? number.doubleValue() : 0;
    }

    double perSecond() {
        return count / seconds;
    }

    int count() {
        return count;
    }

    /** Adds a figure unless it is zero. */
    RoundResult with(String name, long figure) {
        if (figure != 0) {
            figures.put(name, figure);
        }
        return this;
    }

    /** Adds the check of the arrivals; a round with a fault has no rate. */
    RoundResult checked(DeliveryCheck found) {
        check = found;
        if (!found.clean()) {
            figures.put("check", found.toString());
            figures.remove("perSecond");
        }
        return this;
    }

    /** Returns the check, or null if there was none: a push is checked when its messages are taken. */
    @Nullable DeliveryCheck check() {
        return check;
    }

    /** Adds the delays of all messages from the answers of the consumers. */
    RoundResult delays(List<JsonNode> answers) {
        IntStream all = IntStream.empty();
        for (JsonNode answer : answers) {
            ByteBuffer bytes = ByteBuffer.wrap(
                            Base64.getDecoder().decode(answer.path("micros").asText("")))
                    .order(ByteOrder.LITTLE_ENDIAN);
            int[] some = new int[bytes.remaining() / 4];
            bytes.asIntBuffer().get(some);
            all = IntStream.concat(all, Arrays.stream(some));
        }
        micros = all.sorted().toArray();
        if (micros.length > 0) {
            figures.put("p50Micros", percentile(micros, 50));
            figures.put("p99Micros", percentile(micros, 99));
            figures.put("p999Micros", percentile(micros, 99.9));
            figures.put("maxMicros", micros[micros.length - 1]);
        }
        return this;
    }

    /** Returns the delays in microseconds, sorted. */
    int[] micros() {
        return micros;
    }

    /** Returns the smallest value that at least {@code percent} of the values do not exceed. */
    static int percentile(int[] sorted, double percent) {
        int rank = (int) Math.ceil(sorted.length * percent / 100);
        return sorted[Math.max(0, rank - 1)];
    }

    Map<String, Object> figures() {
        return figures;
    }
}
