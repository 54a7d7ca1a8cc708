package dev.jono.backend.mongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.CrashContract;

class PlMongoCrashContractTest extends CrashContract {
    @Override
    protected ContractSetup open() {
        return Fixture.plMongo();
    }
}
