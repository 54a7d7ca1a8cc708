package dev.jono.e2e.postgres;

import dev.jono.e2e.faults.KeyedLoad;
import dev.jono.e2e.faults.Load;
import dev.jono.testkit.server.PostgresServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A PostgreSQL that is killed, restarted or suspended under a load of pushes, pops, workers, pipelines and keyed queues. Each
 * acknowledged message arrives exactly once, no call fails, and nothing is left in the database.
 */
@Tag("fault")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServerFaultsTest {
    private static final int SOME = 10;
    private static final int HANG_SECONDS = 3;

    private static void underLoad(Runnable strike, PostgresServer server) {
        String url = "postgres:" + server.url();
        try (Load load = new Load(url);
                KeyedLoad keyed = new KeyedLoad(url)) {
            load.awaitMore(SOME);
            keyed.awaitMore(SOME);
            strike.run();
            load.awaitMore(SOME);
            keyed.awaitMore(SOME);
            load.assertNothingIsLostOrDoubled();
            keyed.assertNothingIsLostAndOrderIsKept();
        }
        Leftovers.assertNone(server);
    }

    @Test
    void serverThatIsKilledTakesNothingAlong() {
        try (PostgresServer server = PostgresServer.start()) {
            underLoad(
                    () -> {
                        server.kill();
                        server.restart();
                    },
                    server);
        }
    }

    /** As for an update of the server: it ends all sessions, and rolls their transactions back. */
    @Test
    void restartIsNotNoticed() {
        try (PostgresServer server = PostgresServer.start()) {
            underLoad(
                    () -> {
                        server.shutdown();
                        server.restart();
                    },
                    server);
        }
    }

    @Test
    void serverThatStopsForSecondsDelaysAndNothingElse() {
        try (PostgresServer server = PostgresServer.start()) {
            underLoad(
                    () -> {
                        server.suspend();
                        CompletableFuture.runAsync(
                                        server::resume,
                                        CompletableFuture.delayedExecutor(HANG_SECONDS, TimeUnit.SECONDS))
                                .join();
                    },
                    server);
        }
    }
}
