package dev.jono.backend.mongo;

import dev.jono.signal.mongocapped.MongoCappedSignallerProvider;
import dev.jono.spi.Signaller;
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
        uri = LeastRights.uri(MONGO, Fixture.database());
    }

    @Override
    protected Signaller open(String namespace) {
        return new MongoCappedSignallerProvider()
                .open(Fixture.config("mongo-capped:" + uri, namespace).build());
    }
}
