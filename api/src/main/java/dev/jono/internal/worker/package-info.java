/**
 * Workers: they wait for messages of their queues, run handlers, extend leases, and settle the messages that handlers do not
 * settle.
 *
 * <p>Uses: the packages up to {@link dev.jono.internal.queue}.
 *
 * <p>Users start and stop workers. Handlers run on the executor, everything else on the threads of the storage and of timers.
 */
@NullMarked
package dev.jono.internal.worker;

import org.jspecify.annotations.NullMarked;
