package dev.jono.backend.postgres;

import static dev.jono.testkit.RawBackend.acking;
import static dev.jono.testkit.RawBackend.claiming;
import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.inserting;
import static dev.jono.testkit.RawBackend.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.EncodedPayload;
import dev.jono.OutcomeUnknownException;
import dev.jono.PayloadKind;
import dev.jono.PushOptions;
import dev.jono.StorageException;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult;
import dev.jono.spi.StoredMessage;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TcpProxy;
import dev.jono.testkit.server.TestSchema;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The connection breaks at each byte of the answers to a call, which is then repeated with its token. */
@Tag("fault")
@Execution(ExecutionMode.SAME_THREAD) // each has a proxy of its own, which cuts all connections
class UnansweredTest {
    private static final int LAST_BYTE = 4_000;
    private static final int STEP = 37;

    private TestSchema schema;
    private TcpProxy proxy;
    private RawBackend backend;

    @BeforeEach
    void open() {
        schema = TestSchema.in(PostgresServer.sharedUrl());
        URI server = URI.create(schema.jdbcUrl().substring("jdbc:".length()));
        proxy = TcpProxy.to(server.getHost(), server.getPort());
        String port = ":" + server.getPort() + "/";
        backend = RawBackend.open(schema.jonoUrl().replace(port, ":" + proxy.port() + "/") + "&jono.pool=1");
        backend.insert("first");
        backend.take(1);
    }

    @AfterEach
    void close() {
        backend.close();
        proxy.close();
        schema.close();
    }

    /** A call, which may fail. */
    private interface Call {
        void run();
    }

    /** Returns whether the call had an unknown outcome, and repeats it until it succeeds. */
    private boolean cut(long bytes, Call call) {
        proxy.cutReplyAfter(bytes);
        boolean unknown = false;
        for (int attempt = 1; ; attempt++) {
            try {
                call.run();
                proxy.cutReplyAfter(Long.MAX_VALUE);
                return unknown;
            } catch (OutcomeUnknownException lost) {
                unknown = true;
            } catch (StorageException notDone) {
                assertThat(attempt).as("attempts, after %s", notDone).isLessThan(10);
            }
        }
    }

    /** The server may still hold the locks of a transaction whose connection broke, and other calls skip what is locked. */
    private static void untilFound(int messages, List<StoredMessage> found, Call call) {
        Awaitility.await("messages after a connection broke")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> {
                    if (found.size() < messages) {
                        call.run();
                    }
                    return found.size() >= messages;
                });
    }

    @Test
    void insertIsStoredOnce() {
        int unknown = 0;
        int calls = 0;
        for (int bytes = 1; bytes < LAST_BYTE; bytes += STEP) {
            InsertRequest request = inserting(message("a"), message("b"));
            List<String> ids = new ArrayList<>();
            if (cut(bytes, () -> got(backend.store().insert(request)).items().forEach(item -> ids.add(item.id())))) {
                unknown++;
            }
            assertThat(ids).hasSize(2);
            calls++;
            assertThat(backend.take(10)).as("cut after %d bytes", bytes).containsExactly("a", "b");
        }
        assertThat(unknown).as("of %d calls", calls).isPositive();
    }

    @Test
    void claimIsLeasedOnceAndAckedOnce() {
        int unknown = 0;
        for (int bytes = 1; bytes < LAST_BYTE; bytes += STEP) {
            backend.insert("a", "b");
            ClaimRequest request = claiming(2);
            List<StoredMessage> claimed = new ArrayList<>();
            Call claim =
                    () -> claimed.addAll(got(backend.store().claim(request)).messages());
            if (cut(bytes, claim)) {
                unknown++;
            }
            untilFound(2, claimed, claim);
            assertThat(claimed).as("cut after %d bytes", bytes).hasSize(2);
            assertThat(claimed).allMatch(message -> message.tries() == 0);
            var acks = acking(claimed.toArray(StoredMessage[]::new));
            cut(bytes, () -> got(backend.store().ack(acks)));
            assertThat(got(backend.store().counts(CountsRequest.builder().build()))
                            .reserved())
                    .isZero();
        }
        assertThat(unknown).isPositive();
    }

    @Test
    void claimOfAKeyIsLeasedOnce() {
        QueueStore keyed = keyedQueue();
        for (int bytes = 1; bytes < LAST_BYTE; bytes += STEP) {
            got(keyed.insert(inserting(keyed("a1"))));
            ClaimRequest request = claiming(1);
            List<StoredMessage> claimed = new ArrayList<>();
            Call claim = () -> claimed.addAll(got(keyed.claim(request)).messages());
            cut(bytes, claim);
            untilFound(1, claimed, claim);
            assertThat(claimed).as("cut after %d bytes", bytes).hasSize(1);
            assertThat(claimed.get(0).tries()).isZero();
            assertThat(got(keyed.counts(CountsRequest.builder().build())).reserved())
                    .isEqualTo(1);
            got(keyed.ack(acking(claimed.get(0))));
        }
    }

    private QueueStore keyedQueue() {
        return backend.backend()
                .queue(QueueSpec.builder().name("keyed").maxPerKey(1).build());
    }

    @Test
    void ackOfAKeyTellsThatTheNextMessageCanBeHandedOut() {
        QueueStore keyed = keyedQueue();
        for (int bytes = 1; bytes < LAST_BYTE; bytes += STEP) {
            got(keyed.insert(inserting(keyed("a1"), keyed("a2"))));
            SettleRequest ack = acking(claimed(keyed));
            List<SettleResult> answers = new ArrayList<>();
            cut(bytes, () -> answers.add(got(keyed.ack(ack))));
            assertThat(answers.get(0).promotedMillis())
                    .as("cut after %d bytes", bytes)
                    .isPresent();
            StoredMessage next = claimed(keyed);
            assertThat(next.payload().text()).isEqualTo("a2");
            got(keyed.ack(acking(next)));
        }
    }

    private static NewMessage keyed(String payload) {
        return NewMessage.builder()
                .payload(EncodedPayload.of(PayloadKind.STRING, payload.getBytes(StandardCharsets.UTF_8)))
                .headers(PushOptions.none().key("k").headers())
                .build();
    }

    private static StoredMessage claimed(QueueStore store) {
        return got(store.claim(claiming(1))).messages().get(0);
    }

    @Test
    void takeIsHandedOutOnce() {
        for (int bytes = 1; bytes < LAST_BYTE; bytes += STEP) {
            backend.insert("a", "b");
            ClaimRequest request = claiming(2);
            List<StoredMessage> taken = new ArrayList<>();
            cut(bytes, () -> taken.addAll(got(backend.store().take(request)).messages()));
            untilFound(
                    2,
                    taken,
                    () -> taken.addAll(got(backend.store().take(claiming(2))).messages()));
            assertThat(taken.stream().map(message -> message.payload().text()))
                    .as("cut after %d bytes", bytes)
                    .containsExactly("a", "b");
            assertThat(backend.take(10)).isEmpty();
        }
    }

    @Test
    void callFailsWhileTheServerIsAway() {
        proxy.refuse();
        proxy.cutAll();
        // The call may have found a connection from the pool, which broke when it was used.
        assertThatThrownBy(() -> backend.insert("a"))
                .isInstanceOfAny(StorageException.class, OutcomeUnknownException.class);
        proxy.accept();
        backend.insert("b");
        assertThat(backend.take(10)).containsExactly("b");
    }
}
