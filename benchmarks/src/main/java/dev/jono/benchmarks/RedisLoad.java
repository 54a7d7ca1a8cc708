package dev.jono.benchmarks;

import dev.jono.JonoClock;
import dev.jono.testkit.server.RedisServer;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sums up the scripts that Redis ran in the rounds of one side, by {@code INFO commandstats}, and the CPU time of Redis
 * and of this JVM.
 */
final class RedisLoad {
    private static final Pattern SCRIPTS = Pattern.compile("calls=(\\d+),usec=(\\d+)");
    private static final Pattern TAIL = Pattern.compile("p99=([0-9.]+)");
    private static final JonoClock CLOCK = JonoClock.system();

    private final RedisServer redis;
    private long calls;
    private long micros;
    private double p99Micros;
    private double serverSeconds;
    private double clientSeconds;
    private double seconds;
    private double serverAtStart;
    private double clientAtStart;
    private long startNanos;

    RedisLoad(RedisServer redis) {
        this.redis = redis;
    }

    void begin() {
        redis.call("CONFIG", "RESETSTAT");
        serverAtStart = serverCpu();
        clientAtStart = clientCpu();
        startNanos = CLOCK.nanos();
    }

    void end() {
        seconds += (CLOCK.nanos() - startNanos) / 1e9;
        serverSeconds += serverCpu() - serverAtStart;
        clientSeconds += clientCpu() - clientAtStart;
        Matcher scripts = SCRIPTS.matcher(redis.info("cmdstat_evalsha"));
        if (scripts.find()) {
            calls += Long.parseLong(scripts.group(1));
            micros += Long.parseLong(scripts.group(2));
        }
        Matcher tail = TAIL.matcher(redis.info("latency_percentiles_usec_evalsha"));
        if (tail.find()) {
            p99Micros = Math.max(p99Micros, Double.parseDouble(tail.group(1)));
        }
    }

    private double serverCpu() {
        return Double.parseDouble(redis.info("used_cpu_user")) + Double.parseDouble(redis.info("used_cpu_sys"));
    }

    private static double clientCpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
    }

    /** Returns the figures for the result file. */
    Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("scripts", calls);
        figures.put("scriptMicrosMean", calls == 0 ? 0 : (double) micros / calls);
        figures.put("scriptMicrosWorstP99", p99Micros);
        figures.put("serverCores", serverSeconds / seconds);
        figures.put("clientCores", clientSeconds / seconds);
        return figures;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%,d scripts of %.0f us, p99 %.0f us; cores used: Redis %.2f, this JVM %.2f",
                calls,
                calls == 0 ? 0.0 : (double) micros / calls,
                p99Micros,
                serverSeconds / seconds,
                clientSeconds / seconds);
    }
}
