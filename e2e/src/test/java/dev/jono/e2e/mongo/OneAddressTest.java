package dev.jono.e2e.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Worker;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import dev.jono.testkit.server.TcpProxy;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A replica set behind one address, whose primary steps down while the connections to it stay open. */
@Tag("fault")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OneAddressTest {
    private static final int MANY = 60;

    @ParameterizedTest
    @ValueSource(strings = {"mongo", "bucket-mongo-safe"})
    void nothingIsRefusedAndNothingLost(String backend) {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        Set<String> consumed = ConcurrentHashMap.newKeySet();
        try (MongoReplicaSet set = MongoReplicaSet.start(2)) {
            MongoServer old = set.awaitPrimary();
            try (TcpProxy address = TcpProxy.to(old.host(), old.port());
                    QueueFactory jono =
                            QueueFactory.connect(backend + ":mongodb://127.0.0.1:" + address.port() + "/shop")) {
                MessageQueue<String> orders = jono.queue("orders", Codec.string());
                Worker worker = jono.worker()
                        .from(orders, (text, delivery) -> consumed.add(text))
                        .start();
                orders.push("first");
                Awaitility.await().until(() -> consumed.contains("first"));
                MongoServer next = set.stepDown();
                address.leadTo(next.host(), next.port());
                for (int i = 0; i < MANY; i++) {
                    orders.push("message " + i);
                }
                Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> consumed.size() == MANY + 1);
                orders.pause();
                assertThat(orders.isPaused()).isTrue();
                worker.stop(Duration.ofSeconds(5));
            }
        } finally {
            System.setErr(before);
        }
        assertThat(log.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("not the primary")))
                .hasSize(1)
                .allMatch(line -> line.contains("WARN"));
    }
}
