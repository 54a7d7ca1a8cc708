package dev.jono.e2e.postgres;

import dev.jono.e2e.faults.KeyedLoad;
import dev.jono.e2e.faults.Load;
import dev.jono.testkit.server.PostgresServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database whose transactions do not see what others commit meanwhile, unless they ask for it. */
@Tag("fault")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IsolationTest {
    private static final int SOME = 30;

    @ParameterizedTest
    @ValueSource(strings = {"repeatable read", "serializable"})
    void defaultIsolationOfTheDatabaseChangesNothing(String isolation) {
        try (PostgresServer server = PostgresServer.builder()
                .option("default_transaction_isolation", isolation)
                .start()) {
            String url = "postgres:" + server.url();
            try (Load load = new Load(url);
                    KeyedLoad keyed = new KeyedLoad(url)) {
                load.awaitMore(SOME);
                keyed.awaitMore(SOME);
                load.assertNothingIsLostOrDoubled();
                keyed.assertNothingIsLostAndOrderIsKept();
            }
            Leftovers.assertNone(server);
        }
    }
}
