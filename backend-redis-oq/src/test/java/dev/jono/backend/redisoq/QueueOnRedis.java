package dev.jono.backend.redisoq;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.spi.BrowseRequest;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Base of tests with a server and one queue, empty before each test: as the backend sees it, and its keys in Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.SAME_THREAD) // these share a server
abstract class QueueOnRedis {
    static final String HASH = "keuss:q:ordered_queue:hash:orders";
    static final String INDEX = "keuss:q:ordered_queue:index:orders";
    static final String CLAIMS = "jono:oq:claims:orders";
    final RedisServer redis = RedisServer.start();

    RawBackend raw;

    @AfterAll
    void stop() {
        redis.close();
    }

    @BeforeEach
    void open() {
        redis.call("FLUSHALL");
        raw = RawBackend.open("redis-oq:" + redis.uri());
    }

    @AfterEach
    void close() {
        raw.close();
    }

    List<StoredMessage> claim(int max, long leaseMillis) {
        return got(raw.store()
                        .claim(ClaimRequest.builder()
                                .max(max)
                                .leaseMillis(leaseMillis)
                                .token(token())
                                .isolateTries(24)
                                .isolateExpiredTries(2)
                                .build()))
                .messages();
    }

    List<Outcome> ack(List<StoredMessage> messages) {
        return got(raw.store().ack(acking(messages.toArray(StoredMessage[]::new))))
                .outcomes();
    }

    CountsResult counts() {
        return got(raw.store().counts(CountsRequest.builder().build()));
    }

    List<StoredMessage> browse() {
        return got(raw.store().browse(BrowseRequest.builder().limit(100).build()))
                .messages();
    }

    static List<String> texts(List<StoredMessage> messages) {
        return messages.stream().map(message -> message.payload().text()).toList();
    }

    void assertNothingIsLeft() {
        assertThat(redis.call("EXISTS", HASH, INDEX, CLAIMS)).isEqualTo(0L);
    }
}
