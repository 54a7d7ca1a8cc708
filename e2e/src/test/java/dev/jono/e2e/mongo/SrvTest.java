package dev.jono.e2e.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code mongodb+srv://}: DNS returns the addresses of the servers. */
class SrvTest {
    @ParameterizedTest
    @ValueSource(strings = {"mongo", "bucket-mongo-safe"})
    void queuesAndSignalsFindTheirServersByOneName(String backend) throws Exception {
        try (MongoReplicaSet set = MongoReplicaSet.start(1)) {
            Names.listens(set.awaitPrimary().port());
            String uri = "mongodb+srv://" + Names.HOST + "/" + Urls.database() + "?tls=false";
            try (QueueFactory jono = QueueFactory.connect(Urls.of(backend, uri));
                    QueueFactory other = QueueFactory.connect(Urls.of(backend, uri))) {
                MessageQueue<String> orders = jono.queue("orders", Codec.string());
                CompletableFuture<Optional<Message<String>>> waiting = orders.popAsync(Duration.ofSeconds(30));
                other.queue("orders", Codec.string()).push("a");
                assertThat(waiting.get(30, TimeUnit.SECONDS).map(Message::payload))
                        .contains("a");
            }
        }
    }
}
