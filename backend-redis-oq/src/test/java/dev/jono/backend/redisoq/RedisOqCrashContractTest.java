package dev.jono.backend.redisoq;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.CrashContract;

class RedisOqCrashContractTest extends CrashContract {
    @Override
    protected ContractSetup open() {
        return Fixture.shared();
    }
}
