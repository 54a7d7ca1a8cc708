package dev.jono.jobs.redis;

import static dev.jono.testkit.RawBackend.got;

import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.LogLine;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.WriteOutcome;
import dev.jono.testkit.PluginConfigs;
import dev.jono.testkit.server.RedisServer;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Base of tests with a server of their own, empty before each test, and a job store on it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD) // these share a server
abstract class StoreOnRedis {
    final RedisServer redis = RedisServer.start();

    JobStore store;

    @AfterAll
    void stop() {
        redis.close();
    }

    @BeforeEach
    void open() {
        redis.call("FLUSHALL");
        store = store("redis-oq:" + redis.uri());
    }

    @AfterEach
    void close() {
        store.close();
    }

    static JobStore store(String url) {
        return new RedisJobStoreProvider().open(PluginConfigs.builder(url).build());
    }

    static RecordChange.Builder change(String id, RecordState state) {
        return RecordChange.builder()
                .id(id)
                .type(TypeKeys.typeOf(id))
                .state(state)
                .attempt(1)
                .document("{\"v\":1}");
    }

    static LogLine line(int number) {
        return new LogLine(1_700_000_000_000L + number, 1, "line " + number);
    }

    WriteOutcome write(RecordChange.Builder change) {
        return got(store.write(List.of(change.build()))).get(0);
    }

    /** The keys of jobs, sorted. */
    List<String> keys() {
        TreeSet<String> names = new TreeSet<>();
        redis.callForList("KEYS", "jono:jobs:*").forEach(key -> names.add(String.valueOf(key)));
        return List.copyOf(names);
    }
}
