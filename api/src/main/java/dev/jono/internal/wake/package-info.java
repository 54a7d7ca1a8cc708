/**
 * Finds out that messages arrived or that a queue was paused: by signals, by the paused flag, and by polling, which repairs
 * lost signals.
 *
 * <p>Uses: the packages up to {@link dev.jono.internal.stats}.
 *
 * <p>Called by waiters when the first one is added and the last one has ended, by the threads of the signaller, and by timers.
 */
@NullMarked
package dev.jono.internal.wake;

import org.jspecify.annotations.NullMarked;
