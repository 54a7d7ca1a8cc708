/**
 * What all parts of one factory share: the clock, executors, the traits of the backend, kinds of failures, and work that the
 * close of the factory waits for.
 *
 * <p>Uses: {@link dev.jono.internal.log} and {@link dev.jono.internal.concurrent}.
 *
 * <p>All packages above call it, on any thread.
 */
@NullMarked
package dev.jono.internal.runtime;

import org.jspecify.annotations.NullMarked;
