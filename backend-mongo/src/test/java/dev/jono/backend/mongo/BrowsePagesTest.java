package dev.jono.backend.mongo;

import static dev.jono.testkit.RawBackend.got;
import static dev.jono.testkit.RawBackend.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.jono.Codec;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.Due;
import dev.jono.spi.NewMessage;
import dev.jono.spi.StoredMessage;
import dev.jono.support.mongo.MongoStorage;
import dev.jono.support.mongo.testing.CommandHooks;
import dev.jono.support.mongo.testing.OwnDatabase;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.RawBackend;
import dev.jono.testkit.server.MongoReplicaSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Browses many messages with the same due time, some of them reserved. */
class BrowsePagesTest {
    private static final int MANY = 3_000;
    private static final int RESERVED = 2_500;

    @RegisterExtension
    final OwnDatabase database = new OwnDatabase("mongo");

    @Test
    void pagesShowEachMessageOnce() {
        try (RawBackend raw = database.open()) {
            NewMessage[] messages = new NewMessage[MANY];
            for (int i = 0; i < MANY; i++) {
                messages[i] = NewMessage.builder()
                        .payload(message("m" + i).payload())
                        .due(Due.atMillis(1_700_000_000_000L))
                        .build();
            }
            raw.insert(messages);
            int held = 0;
            while (held < RESERVED) {
                held += raw.claim(Math.min(1000, RESERVED - held)).messages().size();
            }
            List<String> ids = new ArrayList<>();
            String after = null;
            List<StoredMessage> page;
            do {
                page = got(raw.store()
                                .browse(BrowseRequest.builder()
                                        .after(after)
                                        .limit(100)
                                        .build()))
                        .messages();
                page.forEach(one -> ids.add(one.id()));
                after = page.isEmpty() ? null : page.get(page.size() - 1).cursor();
            } while (!page.isEmpty());
            assertThat(ids).hasSize(MANY);
            assertThat(new HashSet<>(ids)).hasSize(MANY);
        }
    }

    /** A page that is not full is the last one. */
    @Test
    void pageIsFullAlthoughMessagesAreConsumedMeanwhile() throws Exception {
        CommandHooks hooks = new CommandHooks();
        String name = TestDatabases.newName();
        try (MongoClient client = hooks.client(MongoReplicaSet.sharedUri(name));
                QueueFactory jono = QueueFactory.builder("mongo:?jono.one-database=true")
                        .storage(MongoStorage.of(client, name))
                        .connect();
                QueueFactory other =
                        QueueFactory.connect("mongo:" + MongoReplicaSet.sharedUri(name) + "&jono.one-database=true")) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            orders.pushAll(List.of("a", "b", "c", "d"));
            // The keys of reserved messages are read last, and the messages of all keys after them.
            hooks.after("aggregate", () -> pop(other.queue("orders", Codec.string()), 2));
            assertThat(orders.browse(null, 2)).extracting(Message::payload).containsExactly("c", "d");
            assertThat(hooks.done()).isTrue();
            client.getDatabase(name).drop();
        }
    }

    private static void pop(MessageQueue<String> queue, int number) {
        try {
            assertThat(queue.pop(number, Duration.ZERO)).hasSize(number);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
