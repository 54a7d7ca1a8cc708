/**
 * The queue object that users hold: push, pop, reserve, browse, control.
 *
 * <p>Uses: the packages up to {@link dev.jono.internal.settle}.
 *
 * <p>Called on the threads of users; payloads are encoded and decoded there.
 */
@NullMarked
package dev.jono.internal.queue;

import org.jspecify.annotations.NullMarked;
