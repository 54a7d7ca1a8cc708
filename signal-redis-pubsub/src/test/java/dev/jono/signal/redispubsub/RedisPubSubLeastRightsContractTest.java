package dev.jono.signal.redispubsub;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import dev.jono.testkit.SignallerContract;
import dev.jono.testkit.server.RedisServer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The contract, for a user with the rights that docs/redis-signals-and-stats.md lists and no others. */
class RedisPubSubLeastRightsContractTest extends SignallerContract {
    private static final String USER =
            "user signals on >secret resetchannels &keuss:signal:N* -@all +hello +publish +subscribe +unsubscribe";

    private static @Nullable RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServer.builder().users(USER).start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected Signaller open(String namespace) {
        if (server == null) {
            throw new IllegalStateException("not started");
        }
        return Signallers.open("redis://signals:secret@" + server.address(), namespace);
    }

    @Test
    void channelBeyondTheRightsIsRefusedWithAReason() {
        try (Signaller signaller = open("X")) {
            assertThatThrownBy(() -> signaller
                            .publish(Signal.paused("orders"))
                            .toCompletableFuture()
                            .get(20, TimeUnit.SECONDS))
                    .hasMessageContaining("NOPERM")
                    .hasMessageContaining("docs/")
                    .hasMessageNotContaining("secret");
        }
    }
}
