/**
 * The waiters of a queue, and the claims that bring messages for them.
 *
 * <p>Uses: the packages up to {@link dev.jono.internal.batch}.
 *
 * <p>Callers and workers wait. Claims are made on the threads of callers, signals and timers, and handed out on those of the
 * storage. All parts of one queue share the lock of {@link dev.jono.internal.claim.WaitingConsumers}.
 */
@NullMarked
package dev.jono.internal.claim;

import org.jspecify.annotations.NullMarked;
