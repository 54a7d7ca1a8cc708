package dev.jono.backend.redisoq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
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
 * The work of each script is bounded, whatever the queue contains, because Redis serves no other client while a script runs. The
 * test reads {@code INFO commandstats}, which also counts the commands inside scripts.
 */
@Timeout(120)
@Execution(ExecutionMode.SAME_THREAD) // these share or start servers
class BoundedWorkTest {
    private static final int LIST = 1_000;
    /** A script over 100 messages whose leases have all expired runs four commands for each, and some more. */
    private static final long MAX_COMMANDS_PER_SCRIPT = 600;

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
            manyScripts(redis, () -> queue.pushAll(list));
            fewScripts(redis, () -> held.addAll(queue.reserve(LIST, Duration.ZERO)));
            manyScripts(redis, () -> {
                queue.ackAll(held.subList(0, LIST));
                return "acked";
            });
            fewScripts(redis, () -> queue.pop(LIST, Duration.ZERO));
            manyScripts(redis, () -> queue.browse(null, LIST));
            oneScript(redis, queue::counts);
            oneScript(redis, queue::nextMaturity);
            oneScript(redis, () -> queue.get(held.get(LIST).id()));
            oneScript(redis, () -> queue.remove(held.get(LIST).id()));
            oneScript(redis, () -> held.get(LIST + 1).retry());
            scriptsOf(redis, () -> {
                held.get(LIST + 2).reject("no");
                return "rejected";
            });
            scriptsOf(redis, queue::purge);
        }
    }

    @Test
    void scriptsOfQueuesWithKeysReadTheTimeOnce() throws Exception {
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.connect("redis-oq:" + redis.uri())) {
            MessageQueue<String> queue = jono.queue(
                    "orders", Codec.string(), QueueOptions.builder().keyed(2).build());
            PushOptions key = PushOptions.none().key("a");
            scriptsOf(redis, () -> queue.push("a1", key));
            scriptsOf(redis, () -> queue.pushAll(List.of("a2", "a3", "a4"), key));
            scriptsOf(redis, () -> {
                queue.reserve(Duration.ZERO).orElseThrow().retry();
                return "retried";
            });
            scriptsOf(redis, () -> {
                queue.reserve(Duration.ZERO).orElseThrow().ack();
                return "acked";
            });
            scriptsOf(redis, () -> queue.pop(Duration.ZERO));
            scriptsOf(redis, queue::purge);
        }
    }

    private static void manyScripts(RedisServer redis, Callable<?> step) throws Exception {
        assertThat(scriptsOf(redis, step)).as("scripts over %s messages", LIST).isGreaterThanOrEqualTo(LIST / 100);
    }

    private static void fewScripts(RedisServer redis, Callable<?> step) throws Exception {
        assertThat(scriptsOf(redis, step)).as("scripts").isEqualTo(Limits.MAX_BATCH / Limits.MAX_SCRIPT);
    }

    private static void oneScript(RedisServer redis, Callable<?> step) throws Exception {
        assertThat(scriptsOf(redis, step)).as("scripts").isEqualTo(1);
    }

    /** How many scripts a step runs. On average none may run too many commands; none may read the time twice. */
    private static long scriptsOf(RedisServer redis, Callable<?> step) throws Exception {
        redis.call("CONFIG", "RESETSTAT");
        step.call();
        long scripts = 0;
        long commands = 0;
        long times = 0;
        Matcher stats = COMMAND.matcher(String.valueOf(redis.call("INFO", "commandstats")));
        while (stats.find()) {
            long calls = Long.parseLong(stats.group(2));
            if (stats.group(1).equals("evalsha")) {
                scripts = calls;
            } else {
                commands += calls;
                times += stats.group(1).equals("time") ? calls : 0;
            }
        }
        assertThat(scripts).isPositive();
        assertThat(times).as("commands that read the time").isLessThanOrEqualTo(scripts);
        assertThat(commands / scripts).as("commands in a script").isLessThanOrEqualTo(MAX_COMMANDS_PER_SCRIPT);
        return scripts;
    }
}
