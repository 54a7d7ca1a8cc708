package dev.jono.backend.mongo;

import dev.jono.signal.mongocapped.MongoCappedSignallerProvider;
import dev.jono.spi.Signaller;
import dev.jono.support.mongo.testing.LeastRights;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.PluginConfigs;
import dev.jono.testkit.SignallerContract;
import dev.jono.testkit.server.MongoUsers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of signallers for the user of {@link LeastRights}. */
class MongoCappedLeastRightsContractTest extends SignallerContract {
    @RegisterExtension
    static final MongoUsers MONGO = MongoUsers.start();

    private static String uri;

    @BeforeAll
    static void makeUser() {
        uri = LeastRights.uri(MONGO, TestDatabases.newName());
    }

    @Override
    protected Signaller open(String namespace) {
        return new MongoCappedSignallerProvider()
                .open(PluginConfigs.builder("mongo-capped:" + uri)
                        .namespace(namespace)
                        .build());
    }
}
