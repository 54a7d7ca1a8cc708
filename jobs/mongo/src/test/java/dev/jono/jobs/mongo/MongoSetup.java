package dev.jono.jobs.mongo;

import dev.jono.Capability;
import dev.jono.support.mongo.testing.ContractSetups;
import dev.jono.testkit.ContractSetup;
import java.util.EnumSet;
import java.util.Set;

/** A new database for a test, on the replica set that all tests share. */
final class MongoSetup {
    private MongoSetup() {}

    static ContractSetup open() {
        Set<Capability> all = EnumSet.allOf(Capability.class);
        all.remove(Capability.HISTORY);
        return ContractSetups.onReplicaSet("mongo", "", all).build();
    }
}
