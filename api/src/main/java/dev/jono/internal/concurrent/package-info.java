/**
 * Threads, callbacks, timers and waiting. Knows no queue.
 *
 * <p>Uses: {@link dev.jono.internal.log}.
 *
 * <p>All packages above call it, on any thread; the class comments name the threads that it starts.
 */
@NullMarked
package dev.jono.internal.concurrent;

import org.jspecify.annotations.NullMarked;
