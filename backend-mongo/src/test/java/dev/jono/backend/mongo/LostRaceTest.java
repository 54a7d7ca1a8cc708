package dev.jono.backend.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.PartialFailureException;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.ReserveOptions;
import dev.jono.StaleReservationException;
import dev.jono.support.mongo.MongoStorage;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * An ack of several messages reads the fences and then deletes. A consumer that claims in between keeps its messages.
 */
class LostRaceTest {
    private static final Duration WAIT = Duration.ofSeconds(10);

    /** Runs an action after the answer to the query for fences. */
    private static final class AfterFenceRead implements CommandListener {
        final AtomicReference<Runnable> action = new AtomicReference<>(AfterFenceRead::nothing);
        private volatile int reading;

        private static void nothing() {}

        @Override
        public void commandStarted(CommandStartedEvent event) {
            // Not the query for the paused flag.
            if (event.getCommandName().equals("find")
                    && event.getCommand().getString("find").getValue().equals("orders")
                    && event.getCommand().getDocument("filter").containsKey("_id")) {
                reading = event.getRequestId();
            }
        }

        @Override
        public void commandSucceeded(CommandSucceededEvent event) {
            if (event.getRequestId() == reading) {
                action.getAndSet(AfterFenceRead::nothing).run();
            }
        }
    }

    @Test
    void ackOfMessagesThatAnotherConsumerClaimedIsStale() throws Exception {
        String database = TestDatabases.newName();
        String uri = MongoReplicaSet.sharedUri(database);
        AfterFenceRead afterRead = new AfterFenceRead();
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .addCommandListener(afterRead)
                .build();
        try (MongoClient client = MongoClients.create(settings);
                QueueFactory mine = QueueFactory.builder("mongo:?jono.one-database=true")
                        .storage(MongoStorage.of(client, database))
                        .connect();
                QueueFactory theirs = QueueFactory.connect(TestDatabases.url("mongo", uri, "jono.one-database=true"))) {
            MessageQueue<String> orders = mine.queue("orders", Codec.string());
            MessageQueue<String> same = theirs.queue("orders", Codec.string());
            orders.pushAll(List.of("a", "b"));
            List<Reservation<String>> held = orders.reserve(2, WAIT, ReserveOptions.lease(Duration.ofMillis(300)));
            assertThat(held).hasSize(2);
            AtomicReference<List<Reservation<String>>> claimed = new AtomicReference<>(List.of());
            afterRead.action.set(() -> {
                try {
                    claimed.set(same.reserve(2, WAIT));
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThatThrownBy(() -> orders.ackAll(held))
                    .isInstanceOfSatisfying(
                            PartialFailureException.class,
                            failure -> assertThat(failure.results())
                                    .extracting(PartialFailureException.Result::failure)
                                    .hasSize(2)
                                    .hasOnlyElementsOfType(StaleReservationException.class));
            assertThat(claimed.get()).hasSize(2);
            same.ackAll(claimed.get());
            assertThat(same.totalSize()).isZero();
        } finally {
            TestDatabases.client().getDatabase(database).drop();
        }
    }
}
