package dev.jono.internal.settle;

import dev.jono.StaleReservationException;
import dev.jono.internal.core.QueueCore;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleResult.Outcome;

/** Checks what the storage answers to settling steps. Called on the threads of the storage. Stateless. */
final class Outcomes {
    private Outcomes() {}

    /**
     * Throws if a step was not done.
     *
     * @throws StaleReservationException if the reservation does not belong to its holder any more
     */
    static void check(Outcome outcome, String step, QueueCore core, Receipt receipt) {
        if (outcome != Outcome.DONE) {
            throw new StaleReservationException(step, core.name, receipt.id(), outcome == Outcome.GONE);
        }
    }
}
