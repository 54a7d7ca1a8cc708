package dev.jono.jobs.redis;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JobStoreContract;
import dev.jono.testkit.server.RedisUser;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** As {@link RedisJobStoreLeastRightsContractTest}, with the further rights that a Cluster needs. */
@Tag("fault")
class RedisJobStoreClusterLeastRightsContractTest extends JobStoreContract {
    @RegisterExtension
    static final RedisUser REDIS = RedisUser.onCluster(
            RedisJobStoreLeastRightsContractTest.RIGHTS + " +cluster|nodes +cluster|myid +cluster|shards +info");

    @Override
    protected ContractSetup open() {
        return RedisSetup.slots(REDIS.uri());
    }
}
