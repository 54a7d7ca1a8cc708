package dev.jono.backend.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.support.mongo.MongoStorage;
import dev.jono.support.mongo.testing.CommandHooks;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A claim of several messages finds them, and then marks them. Another consumer can hold them in between. */
class FirstDeliveryRaceTest {
    private static final Duration WAIT = Duration.ofSeconds(10);

    private static void holdAndRelease(MessageQueue<String> orders) {
        try {
            orders.reserve(2, WAIT).forEach(Reservation::release);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void messageThatWasHeldAfterTheSearchIsRedelivered() throws Exception {
        String database = TestDatabases.newName();
        String uri = MongoReplicaSet.sharedUri(database);
        CommandHooks hooks = new CommandHooks();
        try (MongoClient client = hooks.client(uri);
                QueueFactory mine = QueueFactory.builder("mongo:?jono.one-database=true")
                        .storage(MongoStorage.of(client, database))
                        .connect();
                QueueFactory theirs = QueueFactory.connect(TestDatabases.url("mongo", uri, "jono.one-database=true"))) {
            MessageQueue<String> orders = mine.queue("orders", Codec.string());
            MessageQueue<String> same = theirs.queue("orders", Codec.string());
            orders.pushAll(List.of("a", "b"));
            hooks.before("update", () -> holdAndRelease(same));
            List<Reservation<String>> held = orders.reserve(2, WAIT);
            assertThat(hooks.done()).isTrue();
            assertThat(held).hasSize(2).allMatch(Reservation::isRedelivered).allMatch(each -> each.tries() == 0);
            orders.ackAll(held);
        } finally {
            TestDatabases.client().getDatabase(database).drop();
        }
    }
}
