/**
 * Learns that messages arrived or that a queue was paused: signals, the paused flag, and the poll interval that
 * replaces lost signals.
 *
 * <p>Uses: the packages up to {@link dev.jono.internal.stats}.
 *
 * <p>Called when the first waiter comes and the last one leaves, by the threads of the signaller, and by timers.
 */
@NullMarked
package dev.jono.internal.wake;

import org.jspecify.annotations.NullMarked;
