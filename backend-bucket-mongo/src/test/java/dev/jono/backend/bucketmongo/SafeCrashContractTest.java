package dev.jono.backend.bucketmongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.CrashContract;

class SafeCrashContractTest extends CrashContract {
    @Override
    protected ContractSetup open() {
        return Fixture.safe();
    }
}
