package dev.jono.backend.mongo;

import dev.jono.spi.BackendProvider;
import dev.jono.spi.QueueSpec;
import dev.jono.support.mongo.testing.DeletionRace;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue is deleted while another process pops its messages in two steps. */
@Timeout(120)
class DeletionRaceTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void popThatMarkedMessagesLeavesThemDue(boolean again) {
        race(new MongoBackendProvider(), "jono.one-database=true", again);
    }

    /** The pop would turn the messages into history. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void popThatKeepsHistoryLeavesThemDue(boolean again) {
        race(new PsMongoBackendProvider(), "jono.one-database=true&jono.ttl=1h", again);
    }

    private static void race(BackendProvider provider, String options, boolean again) {
        QueueSpec orders = QueueSpec.builder().name("orders").build();
        for (String uri : new String[] {
            MongoServer.sharedUri(TestDatabases.newName()), MongoReplicaSet.sharedUri(TestDatabases.newName())
        }) {
            try (DeletionRace race = new DeletionRace(provider, options, orders, uri)) {
                race.run(again);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void popThatMarkedMessagesOfKeyedQueueLeavesThemDue(int maxPerKey) {
        QueueSpec orders =
                QueueSpec.builder().name("orders").maxPerKey(maxPerKey).build();
        String uri = MongoReplicaSet.sharedUri(TestDatabases.newName());
        try (DeletionRace race = new DeletionRace(new MongoBackendProvider(), "jono.one-database=true", orders, uri)) {
            race.run(false);
        }
    }
}
