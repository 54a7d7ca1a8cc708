package dev.jono.backend.postgres;

import java.util.function.LongSupplier;

/**
 * What the claims of one queue know of earlier ones.
 *
 * @param free where to look for free messages, by their due times
 * @param held where to look for messages whose leases have ended, by the ends of their leases
 * @param expired when to look for those although enough others are due
 */
record QueueLooks(LowWaterMark free, LowWaterMark held, ExpiredLeases expired) {
    /** @param nanos the nanoseconds of a clock that does not go back */
    static QueueLooks of(LongSupplier nanos) {
        return new QueueLooks(new LowWaterMark(nanos), new LowWaterMark(nanos), new ExpiredLeases(nanos));
    }
}
