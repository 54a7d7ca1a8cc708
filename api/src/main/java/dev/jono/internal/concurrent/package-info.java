/**
 * Threads, callbacks, timers and waiting. Independent of queues.
 *
 * <p>Uses: {@link dev.jono.internal.log}.
 *
 * <p>All packages above call it, on any thread. The class comments name the threads that a class starts.
 */
@NullMarked
package dev.jono.internal.concurrent;

import org.jspecify.annotations.NullMarked;
