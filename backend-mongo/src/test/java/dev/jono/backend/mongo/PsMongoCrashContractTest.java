package dev.jono.backend.mongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.CrashContract;

class PsMongoCrashContractTest extends CrashContract {
    @Override
    protected ContractSetup open() {
        return Fixture.psMongo();
    }
}
