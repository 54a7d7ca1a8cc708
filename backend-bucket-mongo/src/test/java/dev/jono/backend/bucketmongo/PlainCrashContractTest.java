package dev.jono.backend.bucketmongo;

import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.CrashContract;

class PlainCrashContractTest extends CrashContract {
    @Override
    protected ContractSetup open() {
        return Fixture.plain();
    }
}
