/**
 * One queue of a factory, composed of the packages below, and what one queue object of the user adds: options, a codec,
 * pending calls.
 *
 * <p>Uses: the packages up to {@link dev.jono.internal.claim}.
 *
 * <p>Created when a queue is opened; called on the threads of users, workers and the storage.
 */
@NullMarked
package dev.jono.internal.core;

import org.jspecify.annotations.NullMarked;
