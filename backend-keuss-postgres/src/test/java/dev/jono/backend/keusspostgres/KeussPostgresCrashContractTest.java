package dev.jono.backend.keusspostgres;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.CrashContract;

class KeussPostgresCrashContractTest extends CrashContract {
    @Override
    protected ContractSetup open() {
        return Fixture.oldest();
    }
}
