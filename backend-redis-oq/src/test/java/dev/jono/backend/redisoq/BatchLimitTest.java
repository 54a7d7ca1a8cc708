package dev.jono.backend.redisoq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.Message;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** No script works on more messages than the backend declares, however long the list: it would block all of Redis. */
@Execution(ExecutionMode.SAME_THREAD) // these share or start servers
class BatchLimitTest {
    private static final int MESSAGES = 2 * Limits.MAX_SCRIPT + 50;
    private static final Pattern CALLS = Pattern.compile("calls=(\\d+)");

    private RedisServer redis;
    private QueueFactory jono;
    private MessageQueue<String> queue;

    @BeforeEach
    void start() throws InterruptedException {
        redis = RedisServer.start();
        jono = QueueFactory.connect("redis-oq:" + redis.uri());
        queue = jono.queue("orders", Codec.string());
        queue.push("warm");
        assertThat(queue.pop(1, Duration.ofSeconds(5))).hasSize(1);
        redis.call("CONFIG", "RESETSTAT");
    }

    @AfterEach
    void end() {
        jono.close();
        redis.close();
    }

    @Test
    void longListIsPushedInScriptsOfTheDeclaredSize() {
        queue.pushAll(IntStream.range(0, MESSAGES).mapToObj(Integer::toString).toList());

        assertThat(scripts()).isEqualTo(3);
        assertThat(queue.totalSize()).isEqualTo(MESSAGES);
    }

    @Test
    void longListIsReservedAndAckedInScriptsOfTheDeclaredSize() throws InterruptedException {
        queue.pushAll(IntStream.range(0, MESSAGES).mapToObj(Integer::toString).toList());
        List<Reservation<String>> all = new ArrayList<>();
        while (all.size() < MESSAGES) {
            List<Reservation<String>> got = queue.reserve(MESSAGES, Duration.ofSeconds(5));
            assertThat(got).hasSizeLessThanOrEqualTo(Limits.MAX_BATCH);
            all.addAll(got);
        }
        redis.call("CONFIG", "RESETSTAT");

        queue.ackAll(all);

        assertThat(scripts()).isEqualTo(3);
        assertThat(queue.totalSize()).isZero();
    }

    @Test
    void longTakeIsSeveralScriptsIfThereAreEnoughMessages() throws InterruptedException {
        queue.pushAll(IntStream.range(0, MESSAGES).mapToObj(Integer::toString).toList());
        redis.call("CONFIG", "RESETSTAT");

        List<Message<String>> got = queue.pop(MESSAGES, Duration.ofSeconds(5));
        assertThat(scripts()).isEqualTo(3);
        assertThat(got)
                .extracting(Message::payload)
                .containsExactlyElementsOf(
                        IntStream.range(0, MESSAGES).mapToObj(Integer::toString).toList());

        assertThat(queue.pop(MESSAGES, Duration.ZERO)).isEmpty();
        redis.call("CONFIG", "RESETSTAT");
        assertThat(queue.pop(MESSAGES, Duration.ZERO)).isEmpty();
        assertThat(scripts()).isEqualTo(1);
    }

    /** An isolated message ends a long claim, whether the first script finds it or a later one. */
    @Test
    void isolatedMessageIsClaimedAloneInAnyScript() throws InterruptedException {
        int script = Limits.MAX_SCRIPT;
        MessageQueue<String> strict = jono.queue(
                "strict",
                Codec.string(),
                QueueOptions.builder().deadLetter(DeadLetter.after(5)).build());
        PushOptions lastChance = PushOptions.none().tries(4);
        List<String> ordinary = Collections.nCopies(3 * script, "ordinary");
        strict.pushAll(ordinary);
        strict.push("first poison", lastChance);
        strict.pushAll(ordinary);
        strict.push("second poison", lastChance);
        strict.pushAll(ordinary.subList(0, script));

        List<Integer> sizes = new ArrayList<>();
        List<String> alone = new ArrayList<>();
        while (alone.size() < 2 || sizes.size() < 6) {
            List<Reservation<String>> got = strict.reserve(3 * script, Duration.ofSeconds(5));
            sizes.add(got.size());
            if (got.size() == 1) {
                alone.add(got.get(0).payload());
            } else {
                assertThat(got).allMatch(held -> held.payload().equals("ordinary"));
            }
        }

        assertThat(alone).containsExactly("first poison", "second poison");
        assertThat(sizes).containsExactly(3 * script, 1, script, 2 * script, 1, script);
    }

    private long scripts() {
        Matcher calls = CALLS.matcher(redis.info("cmdstat_evalsha"));
        assertThat(calls.find()).isTrue();
        return Long.parseLong(calls.group(1));
    }
}
