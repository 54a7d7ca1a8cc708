/**
 * The entry points of the engine: {@code dev.jono} and {@code dev.jono.pipeline} call these classes, on the threads of users and
 * of handlers. They open factories over backends.
 *
 * <p>Uses: all packages below it. Each of those uses only the ones before it in this order: log, concurrent, runtime, stats,
 * wake, batch, claim, core, settle, queue, worker.
 *
 * <p>Nothing here is exported from the module; everything can change in any version.
 */
@NullMarked
package dev.jono.internal;

import org.jspecify.annotations.NullMarked;
