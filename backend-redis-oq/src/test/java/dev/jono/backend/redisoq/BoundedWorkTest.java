package dev.jono.backend.redisoq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * No script does more than its share, whatever the queue holds: Redis serves nobody else while one runs. Told by
 * {@code INFO commandstats}, which counts the commands inside of scripts too.
 */
@Timeout(120)
@Execution(ExecutionMode.SAME_THREAD) // these share or start servers
class BoundedWorkTest {
    private static final int LIST = 1_000;
    /** A script over 100 messages that all came back by expiry makes four commands for each, and some more. */
    private static final long MOST_IN_A_SCRIPT = 600;

    private static final Pattern COMMAND = Pattern.compile("cmdstat_([a-z]+):calls=(\\d+)");

    @Test
    void scriptsOverLongListsAndQueuesAreManyAndShort() throws Exception {
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.builder("redis-oq:" + redis.uri())
                        .signaller("local:")
                        .stats("mem:")
                        .connect()) {
            MessageQueue<String> queue = jono.queue("orders", String.class);
            List<String> list = Collections.nCopies(LIST, "payload");
            for (int i = 0; i < 30; i++) {
                queue.pushAll(list);
            }
            queue.pushAll(list, PushOptions.delay(Duration.ofHours(1)));
            List<Reservation<String>> held = new ArrayList<>();
            while (held.size() < 3 * LIST) {
                held.addAll(queue.reserve(LIST, Duration.ZERO));
            }
            lists(redis, () -> queue.pushAll(list));
            few(redis, () -> held.addAll(queue.reserve(LIST, Duration.ZERO)));
            lists(redis, () -> {
                queue.ackAll(held.subList(0, LIST));
                return "acked";
            });
            few(redis, () -> queue.pop(LIST, Duration.ZERO));
            lists(redis, () -> queue.browse(null, LIST));
            one(redis, queue::counts);
            one(redis, queue::nextMaturity);
            one(redis, () -> queue.get(held.get(LIST).id()));
            one(redis, () -> queue.remove(held.get(LIST).id()));
            one(redis, () -> held.get(LIST + 1).retry());
            work(redis, () -> {
                held.get(LIST + 2).reject("no");
                return "rejected";
            });
            work(redis, queue::purge);
        }
    }

    private static void lists(RedisServer redis, Callable<?> step) throws Exception {
        assertThat(work(redis, step)).as("scripts over %s messages", LIST).isGreaterThanOrEqualTo(LIST / 100);
    }

    private static void few(RedisServer redis, Callable<?> step) throws Exception {
        assertThat(work(redis, step)).as("scripts").isEqualTo(Limits.MAX_BATCH / Limits.MAX_SCRIPT);
    }

    private static void one(RedisServer redis, Callable<?> step) throws Exception {
        assertThat(work(redis, step)).as("scripts").isEqualTo(1);
    }

    /** How many scripts it took; none of them may have done too much. */
    private static long work(RedisServer redis, Callable<?> step) throws Exception {
        redis.call("CONFIG", "RESETSTAT");
        step.call();
        long scripts = 0;
        long commands = 0;
        Matcher stats = COMMAND.matcher(String.valueOf(redis.call("INFO", "commandstats")));
        while (stats.find()) {
            long calls = Long.parseLong(stats.group(2));
            if (stats.group(1).equals("evalsha")) {
                scripts = calls;
            } else {
                commands += calls;
            }
        }
        assertThat(scripts).isPositive();
        assertThat(commands / scripts).as("commands in a script").isLessThanOrEqualTo(MOST_IN_A_SCRIPT);
        return scripts;
    }
}
