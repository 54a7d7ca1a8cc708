package dev.jono.signal.redispubsub;

import dev.jono.spi.Signaller;
import dev.jono.testkit.SignallerContract;
import dev.jono.testkit.server.RedisUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** As {@link RedisPubSubLeastRightsContractTest}, with the further rights that a Cluster needs. */
@Tag("fault")
class RedisPubSubClusterLeastRightsContractTest extends SignallerContract {
    @RegisterExtension
    static final RedisUser REDIS = RedisUser.onCluster(
            RedisPubSubLeastRightsContractTest.RIGHTS + " +cluster|nodes +cluster|myid +cluster|shards +info");

    @Override
    protected Signaller open(String namespace) {
        return Signallers.open(REDIS.uri(), namespace);
    }
}
