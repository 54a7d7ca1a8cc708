package dev.jono.support.mongo.testing;

import dev.jono.Capability;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** Setups of the contract tests of backends. */
public final class ContractSetups {
    private ContractSetups() {}

    /**
     * A new database on the shared replica set, with signals and stats in the same database.
     *
     * @param options more options, each after a {@code &}
     */
    public static ContractSetup.Builder onReplicaSet(String type, String options, Set<Capability> capabilities) {
        String database = TestDatabases.newName();
        return on(MongoReplicaSet.sharedUri(database), type, "jono.one-database=true" + options, capabilities)
                .transactions(new MongoTransactions(type + ":?jono.one-database=true" + options, database))
                .onClose(() -> TestDatabases.client().getDatabase(database).drop());
    }

    /** As {@link #onReplicaSet}, on the shared standalone server. */
    public static ContractSetup.Builder onStandalone(String type, String options, Set<Capability> capabilities) {
        String database = TestDatabases.newName();
        return on(MongoServer.sharedUri(database), type, "jono.one-database=true" + options, capabilities)
                .onClose(() ->
                        TestDatabases.standaloneClient().getDatabase(database).drop());
    }

    /** A database on any server. It is not dropped. */
    public static ContractSetup.Builder on(String uri, String type, String options, Set<Capability> capabilities) {
        String url = TestDatabases.url(type, uri, options);
        return ContractSetup.builder(url)
                .declares(capabilities)
                .realTime(Duration.ofMillis(250))
                .otherProcessUrl(url);
    }

    /** These capabilities without those that need transactions, which a standalone server does not have. */
    public static Set<Capability> withoutTransactions(Set<Capability> all) {
        Set<Capability> rest = EnumSet.copyOf(all);
        rest.removeAll(
                Set.of(Capability.ATOMIC_MOVE, Capability.KEYED, Capability.DEDUPLICATE, Capability.TRANSACTION));
        return rest;
    }
}
