/**
 * Who waits for messages of a queue, and the claims that bring them.
 *
 * <p>Uses: the packages up to {@link dev.jono.internal.batch}.
 *
 * <p>Callers and workers wait; claims are made on the threads of callers, signals and timers, and handed out on those
 * of the storage.
 */
@NullMarked
package dev.jono.internal.claim;

import org.jspecify.annotations.NullMarked;
