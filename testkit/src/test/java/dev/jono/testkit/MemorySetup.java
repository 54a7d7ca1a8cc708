package dev.jono.testkit;

import dev.jono.Capability;
import java.util.EnumSet;
import java.util.UUID;

/** Creates empty memory storages. */
final class MemorySetup {
    private MemorySetup() {}

    static ContractSetup.Builder fresh() {
        return ContractSetup.builder("memory:" + UUID.randomUUID())
                .declares(
                        EnumSet.complementOf(EnumSet.of(Capability.TRANSACTION, Capability.SHARED, Capability.DURABLE)))
                .settable()
                // The storage uses the clock of the client that opened it first.
                .ownTime(true);
    }
}
