package dev.jono.backend.mongo;

import dev.jono.support.mongo.testing.LeastRights;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import dev.jono.testkit.server.MongoUsers;
import org.junit.jupiter.api.extension.RegisterExtension;

/** As {@link MongoLeastRightsContractTest}. */
class PsMongoLeastRightsContractTest extends StoreContract {
    @RegisterExtension
    static final MongoUsers MONGO = MongoUsers.start();

    @Override
    protected ContractSetup open() {
        return Fixture.psMongo(LeastRights.uri(MONGO, TestDatabases.newName()));
    }
}
