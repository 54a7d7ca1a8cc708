package dev.jono.benchmarks;

import dev.jono.Codec;
import dev.jono.JonoClock;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.testkit.server.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts the commands that Redis gets from 50 processes with a waiting consumer each, all on one queue: per message
 * while messages arrive, and per poll interval while none does.
 */
final class WaitingProcesses {
    private static final JonoClock CLOCK = JonoClock.system();
    private static final int PROCESSES = 50;
    private static final int GAP_MILLIS = 50;
    private static final int POLL_SECONDS = 15;
    private static final long LEASE_MILLIS = 30_000;
    private static final Pattern COMMAND = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");

    /** Commands that only scripts run while messages arrive. {@code INFO commandstats} counts them too. */
    private static final Set<String> INSIDE_SCRIPTS = Set.of(
            "time",
            "get",
            "set",
            "del",
            "hget",
            "hset",
            "hmget",
            "hdel",
            "hexists",
            "zadd",
            "zrem",
            "zrange",
            "zrangebyscore",
            "zscore",
            "zcount",
            "zcard",
            "publish");

    private WaitingProcesses() {}

    static Row measure(double scale) throws Exception {
        int messages = (int) Math.max(100, 600 * scale);
        int intervals = scale < 1 ? 2 : 4;
        List<ChildProcess> children = new ArrayList<>();
        try (RedisServer redis = RedisServer.start();
                QueueFactory jono = QueueFactory.connect(RedisTestbed.url("redis-oq", redis))) {
            MessageQueue<String> queue = jono.queue("many", Codec.string());
            for (int i = 0; i < PROCESSES; i++) {
                children.add(ChildProcess.jvm(
                        List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                        WaitingProcesses.class,
                        RedisTestbed.url("redis-oq", redis)));
            }
            for (ChildProcess child : children) {
                child.line();
            }
            Arrivals arrivals = new Arrivals(messages + PROCESSES);
            children.forEach(arrivals::read);
            // Leaves out what each process does only once per queue.
            push(queue, 0, PROCESSES);
            Pauses.pause(2_000);
            Commands busy = Commands.during(redis, () -> push(queue, PROCESSES, messages));
            arrivals.awaitAll();
            // A consumer that found the last message leased looks again when that lease ends.
            Pauses.pause(LEASE_MILLIS + 1_000);
            Commands idle = Commands.during(redis, () -> Pauses.pause(intervals * (POLL_SECONDS * 1000L)));
            arrivals.requireEachOnce();
            double perMessage = (double) busy.sent / messages / PROCESSES;
            double withInner = (double) busy.all / messages / PROCESSES;
            double perInterval = (double) idle.sent / intervals / PROCESSES;
            return new Row(
                    "redis-oq-50-processes",
                    PROCESSES + " processes with a waiting consumer each on redis-oq, 20 messages/s",
                    "at most 3 commands per message and process, idle at most 1 per process and poll interval",
                    perMessage <= 3 && perInterval <= 1,
                    String.format(
                            "%.2f commands per message and process (%.2f with those that scripts run inside Redis),"
                                    + " idle %.2f per process and %d s",
                            perMessage, withInner, perInterval, POLL_SECONDS),
                    Map.of(
                            "perMessageAndProcess",
                            perMessage,
                            "withInnerCommands",
                            withInner,
                            "idlePerProcessAndInterval",
                            perInterval,
                            "busy",
                            busy.counts,
                            "idle",
                            idle.counts));
        } finally {
            for (ChildProcess child : children) {
                child.send("end");
            }
            for (ChildProcess child : children) {
                child.close();
            }
        }
    }

    private static void push(MessageQueue<String> queue, int from, int messages) throws InterruptedException {
        long begin = CLOCK.nanos();
        for (int i = 0; i < messages; i++) {
            Pauses.pauseUntil(begin + i * (GAP_MILLIS * 1_000_000L));
            queue.push(Integer.toString(from + i));
        }
    }

    /** Counts the arrivals of each message by the lines that the processes print. */
    private static final class Arrivals {
        private final List<AtomicInteger> seen = new ArrayList<>();
        private final CountDownLatch all;

        Arrivals(int messages) {
            for (int i = 0; i < messages; i++) {
                seen.add(new AtomicInteger());
            }
            this.all = new CountDownLatch(messages);
        }

        void read(ChildProcess child) {
            Thread reader = new Thread(() -> {
                try {
                    while (true) {
                        seen.get(Integer.parseInt(child.line())).incrementAndGet();
                        all.countDown();
                    }
                } catch (IOException ended) {
                    // At the end of the run; earlier, a message stays missing and the run fails.
                }
            });
            reader.setDaemon(true);
            reader.start();
        }

        void awaitAll() throws InterruptedException {
            if (!all.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException(all.getCount() + " messages did not arrive");
            }
        }

        void requireEachOnce() {
            if (seen.stream().anyMatch(count -> count.get() != 1)) {
                throw new IllegalStateException("a message arrived more than once");
            }
        }
    }

    /** A part of the run whose commands are counted. */
    private interface Work {
        void run() throws InterruptedException;
    }

    /** Commands that Redis ran: those that clients sent, all including those inside scripts, and each by its name. */
    private record Commands(long sent, long all, Map<String, Long> counts) {
        static Commands during(RedisServer redis, Work work) throws InterruptedException {
            redis.call("CONFIG", "RESETSTAT");
            work.run();
            Map<String, Long> counts = new TreeMap<>();
            Matcher command = COMMAND.matcher(String.valueOf(redis.call("INFO", "commandstats")));
            while (command.find()) {
                if (!command.group(1).startsWith("config") && !command.group(1).equals("info")) {
                    counts.put(command.group(1), Long.parseLong(command.group(2)));
                }
            }
            long sent = 0;
            long all = 0;
            for (Map.Entry<String, Long> count : counts.entrySet()) {
                all += count.getValue();
                sent += INSIDE_SCRIPTS.contains(count.getKey()) ? 0 : count.getValue();
            }
            return new Commands(sent, all, counts);
        }
    }

    /** A waiting process: acks each message and prints its number. */
    public static void main(String[] arguments) throws Exception {
        QueueFactory jono = QueueFactory.connect(arguments[0]);
        MessageQueue<String> queue = jono.queue("many", Codec.string());
        Thread consumer = new Thread(() -> {
            try {
                while (true) {
                    Optional<Reservation<String>> held = queue.reserve(Duration.ofHours(1));
                    if (held.isPresent()) {
                        held.get().ack();
                        System.out.println(held.get().payload());
                    }
                }
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
        consumer.setDaemon(true);
        consumer.start();
        System.out.println("ready");
        ChildProcess.stdin().readLine();
        queue.cancelAll();
        jono.close();
        System.exit(0);
    }
}
