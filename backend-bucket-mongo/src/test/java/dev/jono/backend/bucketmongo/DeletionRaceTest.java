package dev.jono.backend.bucketmongo;

import dev.jono.spi.BackendProvider;
import dev.jono.spi.QueueSpec;
import dev.jono.support.mongo.testing.DeletionRace;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue is deleted while another process pops messages of two buckets, in two steps. */
@Timeout(120)
class DeletionRaceTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void popThatMarkedMessagesLeavesThemDue(boolean again) {
        race(new BucketMongoSafeBackendProvider(), again);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void popOfPlainQueueLeavesThemDue(boolean again) {
        race(new BucketMongoBackendProvider(), again);
    }

    private static void race(BackendProvider provider, boolean again) {
        QueueSpec orders = QueueSpec.builder().name("orders").build();
        for (String uri : new String[] {
            MongoServer.sharedUri(TestDatabases.newName()), MongoReplicaSet.sharedUri(TestDatabases.newName())
        }) {
            try (DeletionRace race = new DeletionRace(provider, "jono.one-database=true", orders, uri)) {
                race.run(again);
            }
        }
    }
}
