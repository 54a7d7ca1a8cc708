/**
 * Workers: they wait for messages of their queues, run handlers, keep leases alive, and settle what the handlers do
 * not.
 *
 * <p>Uses: the packages up to {@link dev.jono.internal.queue}.
 *
 * <p>Users start and stop workers; handlers run on the executor, everything else on the threads of the storage and of
 * timers.
 */
@NullMarked
package dev.jono.internal.worker;

import org.jspecify.annotations.NullMarked;
