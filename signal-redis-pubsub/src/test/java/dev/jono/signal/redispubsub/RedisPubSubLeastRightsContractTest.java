package dev.jono.signal.redispubsub;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import dev.jono.testkit.SignallerContract;
import dev.jono.testkit.server.RedisUser;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract, for a user with the rights that docs/backends/signals-and-stats.md lists and no others. */
class RedisPubSubLeastRightsContractTest extends SignallerContract {
    static final String RIGHTS = "&keuss:signal:N* +hello +ping +publish +subscribe +unsubscribe";

    @RegisterExtension
    static final RedisUser REDIS = RedisUser.with(RIGHTS);

    @Override
    protected Signaller open(String namespace) {
        return Signallers.open(REDIS.uri(), namespace);
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
                    .hasMessageNotContaining(REDIS.password());
        }
    }
}
