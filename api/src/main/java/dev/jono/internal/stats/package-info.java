/**
 * Counters and paused flags of queues, best effort: a failure of the stats store fails no call.
 *
 * <p>Uses: the packages up to {@link dev.jono.internal.runtime}.
 *
 * <p>Messages are counted on the threads of callers, handlers and the storage; a timer flushes the counts.
 */
@NullMarked
package dev.jono.internal.stats;

import org.jspecify.annotations.NullMarked;
