package dev.jono.backend.redislist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.EncodedPayload;
import dev.jono.PayloadKind;
import dev.jono.spi.Backend;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.server.RedisServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A take moves messages inside Redis into a list of its own, and reads that list. */
@Execution(ExecutionMode.SAME_THREAD) // these share a server
class TakesTest {
    private static final String LIST = "keuss:q:list:orders";
    private static RedisServer redis;
    private static Backend backend;

    private QueueStore store;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        backend = new RedisListBackendProvider()
                .open(PluginConfig.builder()
                        .url(ConnectionUrl.parse("redis-list:" + redis.uri()))
                        .executor(Runnable::run)
                        .build());
    }

    @AfterAll
    static void stop() throws Exception {
        backend.close();
        redis.close();
    }

    @BeforeEach
    void empty() {
        redis.call("FLUSHALL");
        store = backend.queue(QueueSpec.builder().name("orders").build());
    }

    private ClaimResult take(String token, int max) {
        return store.take(ClaimRequest.builder().max(max).token(token).build())
                .toCompletableFuture()
                .join();
    }

    private void insert(String token, List<byte[]> payloads) {
        store.insert(InsertRequest.builder()
                        .messages(payloads.stream()
                                .map(bytes -> NewMessage.builder()
                                        .payload(EncodedPayload.of(PayloadKind.STRING, bytes))
                                        .build())
                                .toList())
                        .token(token)
                        .build())
                .toCompletableFuture()
                .join();
    }

    private static byte[] text(int number, int size) {
        byte[] text = new byte[size];
        Arrays.fill(text, (byte) ('a' + number));
        return text;
    }

    @Test
    void largeMessagesAreTakenInOrderAndAFewAtATime() {
        int count = 20;
        for (int i = 0; i < count; i++) {
            insert("push " + i, List.of(text(i, 1 << 20)));
        }
        List<Byte> taken = new ArrayList<>();
        for (int call = 0; taken.size() < count; call++) {
            ClaimResult result = take("take " + call, 100);
            assertThat(result.messages()).as("at once").hasSizeBetween(1, 4);
            result.messages().forEach(message -> taken.add(message.payload().bytes()[0]));
        }
        assertThat(taken)
                .containsExactlyElementsOf(IntStream.range(0, count)
                        .mapToObj(i -> (byte) ('a' + i))
                        .toList());
        assertThat(take("last", 100).messages()).isEmpty();
    }

    @Test
    void messageLargerThanTheLimitIsTakenAlone() {
        insert("push", List.of(text(0, 6 << 20), text(1, 10)));
        assertThat(take("first", 100).messages()).hasSize(1);
        assertThat(take("second", 100).messages()).hasSize(1);
    }

    @Test
    void repeatedTakeReturnsTheSameMessages() {
        insert("push", IntStream.range(0, 10).mapToObj(i -> text(i, 5)).toList());
        List<String> first =
                take("t", 4).messages().stream().map(StoredMessage::id).toList();
        List<String> again =
                take("t", 4).messages().stream().map(StoredMessage::id).toList();
        assertThat(first).hasSize(4).isEqualTo(again);
        assertThat(redis.call("LLEN", LIST)).isEqualTo(6L);
    }

    @Test
    void messagesOfOtherClientsGetUniqueIds() {
        redis.call("LPUSH", LIST, "{\"payload\":1}", "{\"payload\":2}", "no message");
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            take("t" + i, 1).messages().forEach(message -> ids.add(message.id()));
        }
        assertThat(ids).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void wrongTypeIsRefusedAndNothingIsChanged() {
        redis.call("ZADD", LIST, "1", "a");
        assertThatThrownBy(() -> take("t", 10))
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("something else is stored");
        assertThat(redis.call("ZCARD", LIST)).isEqualTo(1L);
        assertThat(redis.call("DBSIZE")).isEqualTo(1L);
    }

    @Test
    void takeReadsNoMoreOfALongListThanItTakes() {
        redis.call(
                "EVAL", "for i = 1, 500 do redis.call('LPUSH', KEYS[1], unpack(ARGV)) end", "1", LIST, "a", "b", "c");
        List<byte[]> more = IntStream.range(0, 400).mapToObj(i -> text(0, 200)).toList();
        for (int i = 0; i < 200; i++) {
            insert("push " + i, more);
        }
        redis.call("CONFIG", "RESETSTAT");
        take("t", 10);
        String stats = String.valueOf(redis.call("INFO", "commandstats"));
        // To copy all 80,000 messages would take several times this long.
        assertThat(Long.parseLong(stats.replaceAll("(?s).*cmdstat_sort:calls=1,usec=(\\d+).*", "$1")))
                .as("microseconds")
                .isLessThan(5_000);
    }

    @Test
    void resultsOfEarlierTakesAreDeletedAlsoByEmptyTakes() {
        for (int i = 0; i < 50; i++) {
            insert("i" + i, List.of(new byte[] {'a'}));
            assertThat(take("t" + i, 1).messages()).hasSize(1);
            assertThat(take("e" + i, 1).messages()).isEmpty();
        }
        assertThat((Long) redis.call("DBSIZE")).isLessThan(30);
    }
}
