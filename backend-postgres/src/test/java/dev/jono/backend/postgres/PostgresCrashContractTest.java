package dev.jono.backend.postgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.CrashContract;

class PostgresCrashContractTest extends CrashContract {
    @Override
    protected ContractSetup open() {
        return Fixture.oldest();
    }
}
