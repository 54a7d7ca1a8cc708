package dev.jono.e2e.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.jono.e2e.faults.ManyStarter;
import dev.jono.testkit.ChildJvm;
import dev.jono.testkit.server.MongoReplicaSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A hundred clients in several processes start at once on an empty database. Each creates the collection of the queue,
 * its indexes and the channel of signals, or finds them. No client fails, and nothing is created twice.
 */
@Tag("fault")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManyStartTest {
    private static final int PROCESSES = 4;
    private static final int CLIENTS = 25;

    @Test
    void hundredThatStartAtOnceMakeOneQueue() {
        List<ChildJvm> children = new ArrayList<>();
        try (MongoClient client = MongoClients.create(MongoReplicaSet.sharedUri("admin"))) {
            for (int i = 0; i < PROCESSES; i++) {
                children.add(ChildJvm.start(ManyStarter.class, Integer.toString(CLIENTS)));
            }
            children.forEach(child -> child.await("ready", c -> c.lines().contains("ready")));
            assertStarted(client, children, "ps-mongo", "_id_", "mature_1", "lease_1", "processed_1");
            assertStarted(client, children, "bucket-mongo-safe", "_id_", "mature_1", "lease_1", "free_1_mature_1");
        } finally {
            children.forEach(ChildJvm::close);
        }
    }

    private static void assertStarted(
            MongoClient client, List<ChildJvm> children, String backend, String... indexNames) {
        String name = Urls.database();
        MongoDatabase database = client.getDatabase(name);
        try {
            int before = children.get(0).lines().size();
            children.forEach(child -> child.send(Urls.of(backend, MongoReplicaSet.sharedUri(name))));
            List<String> ends = new ArrayList<>();
            for (ChildJvm child : children) {
                child.await(backend, c -> c.lines().size() == before + CLIENTS);
                ends.addAll(child.lines().subList(before, before + CLIENTS));
            }
            assertThat(ends)
                    .as(backend)
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, PROCESSES * CLIENTS)
                            .mapToObj(i -> "done")
                            .toList());
            assertThat(database.getCollection("orders").listIndexes().map(index -> index.getString("name")))
                    .containsExactlyInAnyOrder(indexNames);
            Document channel = database.listCollections()
                    .filter(new Document("name", "keuss_signal"))
                    .first();
            assertThat(channel).isNotNull();
            assertThat(channel.get("options", Document.class)).containsEntry("capped", true);
        } finally {
            database.drop();
        }
    }
}
