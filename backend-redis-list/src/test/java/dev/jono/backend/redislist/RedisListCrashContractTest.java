package dev.jono.backend.redislist;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.CrashContract;

class RedisListCrashContractTest extends CrashContract {
    @Override
    protected ContractSetup open() {
        return Fixture.shared();
    }
}
