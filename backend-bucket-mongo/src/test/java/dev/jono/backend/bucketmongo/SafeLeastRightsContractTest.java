package dev.jono.backend.bucketmongo;

import dev.jono.support.mongo.testing.LeastRights;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import dev.jono.testkit.server.MongoUsers;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The rules of the SPI, for a user with only the rights that docs/backends/mongo.md lists. */
class SafeLeastRightsContractTest extends StoreContract {
    @RegisterExtension
    static final MongoUsers MONGO = MongoUsers.start();

    @Override
    protected ContractSetup open() {
        return Fixture.safe(LeastRights.uri(MONGO, TestDatabases.newName()));
    }
}
