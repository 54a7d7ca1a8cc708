package dev.jono.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.ChildJvm;
import dev.jono.testkit.server.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that signals and stats need, and what a crash may lose of them. */
class SignalsAndStatsTest {
    private static final int SOME = 10;
    private static final String COUNTERS = "keuss:stats:N:orders";

    /** A process that pushes some messages for each line that it reads, and reports it. */
    public static final class Pushing {
        private Pushing() {}

        @SuppressWarnings("SystemOut") // the parent reads its lines
        public static void main(String[] args) throws IOException {
            BufferedReader told = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            try (QueueFactory jono = QueueFactory.connect(args[0])) {
                MessageQueue<String> queue = jono.queue("orders", Codec.string());
                while (told.readLine() != null) {
                    for (int i = 0; i < SOME; i++) {
                        queue.push("m" + i);
                    }
                    System.out.println("pushed");
                }
            }
        }
    }

    /** The commands of clients, and those of scripts, which MONITOR marks with "lua". */
    @ParameterizedTest
    @ValueSource(strings = {"redis-oq", "redis-list"})
    void pushAndItsSignalAreOneRoundTrip(String backend) throws IOException {
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.connect(backend + ":" + redis.uri());
                Socket socket = new Socket(redis.host(), redis.port())) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.push("warm");
            orders.stats(); // flushes the counters, so that none are sent later
            BufferedReader monitor =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.UTF_8));
            assertThat(monitor.readLine()).isEqualTo("+OK");
            orders.push("a");
            redis.call("ECHO", "enough");
            List<String> byClients = new ArrayList<>();
            List<String> byScripts = new ArrayList<>();
            for (String line = monitor.readLine(); !line.contains("enough"); line = monitor.readLine()) {
                String command = line.substring(line.indexOf('"') + 1, line.indexOf('"', line.indexOf('"') + 1));
                (line.contains(" lua] ") ? byScripts : byClients).add(command.toLowerCase(Locale.ROOT));
            }
            assertThat(byScripts).contains("publish");
            byClients.remove("hincrby"); // the time at which stats are sent is not fixed
            assertThat(byClients).containsExactly("evalsha");
        }
    }

    @Test
    @Tag("fault")
    void killedProcessTakesTheCountsOfItsLastMomentAlone() {
        try (RedisServer redis = RedisServer.start();
                ChildJvm child = ChildJvm.start(Pushing.class, "redis-oq:" + redis.uri())) {
            for (int round = 1; round <= 2; round++) {
                int rounds = round;
                child.send("go");
                child.await("its pushes", c -> c.lines("pushed").size() == rounds);
                Awaitility.await("the counts")
                        .atMost(Duration.ofSeconds(20))
                        .until(() ->
                                Integer.toString(rounds * SOME).equals(redis.call("HGET", COUNTERS, "counter_put")));
            }
            child.send("go");
            child.await("its pushes", c -> c.lines("pushed").size() == 3);
            child.kill();
            assertThat(Integer.parseInt(String.valueOf(redis.call("HGET", COUNTERS, "counter_put"))))
                    .isBetween(2 * SOME, 3 * SOME);
            assertThat(redis.call("ZCARD", "keuss:q:ordered_queue:index:orders"))
                    .as("messages are not counted in the background")
                    .isEqualTo(3L * SOME);
        }
    }
}
