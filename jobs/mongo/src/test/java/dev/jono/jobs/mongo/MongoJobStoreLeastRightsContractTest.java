package dev.jono.jobs.mongo;

import dev.jono.support.mongo.testing.ContractSetups;
import dev.jono.support.mongo.testing.LeastRights;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobStoreContract;
import dev.jono.testkit.server.MongoUsers;
import java.util.Set;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of the job store for a user with only the rights that docs/backends/mongo.md lists. */
class MongoJobStoreLeastRightsContractTest extends JobStoreContract {
    @RegisterExtension
    static final MongoUsers MONGO = MongoUsers.start();

    @Override
    protected ContractSetup open() {
        String uri = LeastRights.uri(MONGO, TestDatabases.newName());
        return ContractSetups.on(uri, "mongo", "jono.one-database=false", Set.of())
                .build();
    }
}
