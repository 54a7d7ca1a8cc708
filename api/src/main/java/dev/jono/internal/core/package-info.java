/**
 * One queue of a factory, composed of the packages below, and what one queue object of the user adds: its options, its
 * codec, its pending calls.
 *
 * <p>Uses: the packages up to {@link dev.jono.internal.claim}.
 *
 * <p>Made when a queue is opened; called on the threads of callers.
 */
@NullMarked
package dev.jono.internal.core;

import org.jspecify.annotations.NullMarked;
