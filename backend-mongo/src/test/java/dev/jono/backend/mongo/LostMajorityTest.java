package dev.jono.backend.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.Codec;
import dev.jono.JonoException;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.Reservation;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import java.time.Duration;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A replica set of three members that loses one, or its majority. */
@Tag("fault")
class LostMajorityTest {
    private static List<MongoServer> secondaries(MongoReplicaSet set) {
        MongoServer primary = set.awaitPrimary();
        return set.nodes().stream().filter(node -> node != primary).toList();
    }

    /** The remaining members build the index. */
    @Test
    void queueWithoutItsIndexIsUsableWhileASecondaryIsDown() throws Exception {
        String database = TestDatabases.newName();
        try (MongoReplicaSet set = MongoReplicaSet.start(3)) {
            String uri = set.uri(database);
            try (MongoClient client = MongoClients.create(uri)) {
                client.getDatabase(database)
                        .getCollection("orders")
                        .insertOne(Document.parse(
                                "{mature: {$date: '2026-01-01T00:00:00Z'}, payload: 'f', tries: 0, hdrs: {}}"));
            }
            secondaries(set).get(0).kill();
            try (QueueFactory jono = QueueFactory.connect(TestDatabases.url("mongo", uri, "jono.timeout=3s"))) {
                MessageQueue<String> orders = jono.queue("orders", Codec.string());
                orders.push("a");
                assertThat(orders.pop(2, Duration.ofSeconds(10))).hasSize(2);
            }
        }
    }

    /**
     * The first attempt removes the messages on a server that cannot replicate that. Their absence there proves
     * nothing.
     */
    @Test
    void ackIsNotReportedAsDoneWithoutAMajority() throws Exception {
        String database = TestDatabases.newName();
        try (MongoReplicaSet set = MongoReplicaSet.start(3);
                QueueFactory patient =
                        QueueFactory.connect(TestDatabases.url("mongo", set.uri(database), "jono.timeout=8s"));
                QueueFactory jono = QueueFactory.builder(
                                TestDatabases.url("mongo", set.uri(database), "jono.timeout=500ms"))
                        .signaller("local:")
                        .stats("mem:")
                        .connect()) {
            QueueOptions impatient = QueueOptions.builder()
                    .operationTimeout(Duration.ofSeconds(3))
                    .build();
            MessageQueue<String> orders = jono.queue("orders", Codec.string(), impatient);
            patient.queue("orders", Codec.string()).pushAll(List.of("a", "b", "c"));
            List<Reservation<String>> held = orders.reserve(3, Duration.ofSeconds(10));
            assertThat(held).hasSize(3);
            List<MongoServer> others = secondaries(set);
            others.forEach(MongoServer::suspend);
            try {
                assertThatThrownBy(() -> orders.ackAll(held)).isInstanceOf(JonoException.class);
            } finally {
                others.forEach(MongoServer::resume);
            }
            set.awaitPrimary();
        }
    }
}
