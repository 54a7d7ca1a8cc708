package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.JonoClock;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.internal.Engine;
import dev.jono.internal.FactoryConfig;
import dev.jono.json.JsonCodecs;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A thread for a storage call is refused once, at any point: by an executor that does not accept the task, and by one
 * that has queued the task before it throws, as the scheduler of virtual threads does. The call still takes effect
 * once, and all others continue.
 */
@Tag("fault")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RefusedThreadsTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sqlite",
                "redis-oq",
                "redis-list",
                "mongo",
                "pl-mongo",
                "ps-mongo",
                "bucket-mongo",
                "bucket-mongo-safe"
            })
    void callThatGetsNoThreadIsDoneWhenThereIsOne(String backend) throws Exception {
        for (boolean queuesAllTheSame : List.of(false, true)) {
            int which = 0;
            Refusing threads;
            do {
                threads = new Refusing(++which, queuesAllTheSame);
                work(url(backend), threads);
            } while (threads.calls.get() >= which);
            assertThat(which).as("calls that the test could refuse").isGreaterThan(1);
        }
    }

    private String url(String backend) {
        String own = "jono_test_" + UUID.randomUUID().toString().substring(0, 13);
        if (backend.equals("sqlite")) {
            return "sqlite:" + folder.resolve(own + ".db");
        }
        return backend.startsWith("redis")
                ? backend + ":" + RedisServer.sharedUri() + "?jono.prefix=" + own
                : backend + ":" + MongoReplicaSet.sharedUri(own) + "&jono.one-database=true";
    }

    private static void work(String url, Refusing threads) throws Exception {
        FactoryConfig config = new FactoryConfig(
                url,
                "N",
                null,
                null,
                QueueOptions.none(),
                Map.of(),
                JonoClock.system(),
                null,
                null,
                null,
                JsonCodecs.standard(),
                List.of(),
                List.of());
        try (QueueFactory jono = Engine.open(config, threads)) {
            MessageQueue<String> queue = jono.queue("orders", Codec.string());
            queue.push("a");
            queue.push("b");
            assertThat(queue.pop(LONG)).map(Message::payload).hasValue("a");
            if (queue.capabilities().contains(Capability.RESERVE)) {
                queue.reserve(LONG).orElseThrow().retry(Duration.ZERO);
                queue.reserve(LONG).orElseThrow().ack();
            } else {
                assertThat(queue.pop(LONG)).isPresent();
            }
            queue.pause();
            queue.resume();
            queue.push("c");
            assertThat(queue.pop(LONG)).map(Message::payload).hasValue("c");
            assertThat(queue.counts().total()).isZero();
        }
    }

    /** Refuses one task of many. */
    private static final class Refusing extends ThreadPoolExecutor {
        private final int which;
        private final boolean queuesAllTheSame;
        private final AtomicInteger calls = new AtomicInteger();

        Refusing(int which, boolean queuesAllTheSame) {
            super(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>());
            this.which = which;
            this.queuesAllTheSame = queuesAllTheSame;
        }

        @Override
        public void execute(Runnable task) {
            boolean refused = calls.incrementAndGet() == which;
            if (!refused || queuesAllTheSame) {
                super.execute(task);
            }
            if (refused) {
                throw new OutOfMemoryError("unable to create native thread");
            }
        }
    }
}
