package dev.jono.backend.redislist;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.StoreContract;
import dev.jono.testkit.server.RedisUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** As {@link RedisListLeastRightsContractTest}, with the further rights that a Cluster needs. */
@Tag("fault")
class RedisListClusterLeastRightsContractTest extends StoreContract {
    @RegisterExtension
    static final RedisUser REDIS = RedisUser.onCluster(
            RedisListLeastRightsContractTest.RIGHTS + " +cluster|nodes +cluster|myid +cluster|shards +info");

    @Override
    protected ContractSetup open() {
        return Fixture.onNode(REDIS.uri());
    }
}
