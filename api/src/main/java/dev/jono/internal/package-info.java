/**
 * The doors of the engine: what {@code dev.jono} and {@code dev.jono.pipeline} call. They open factories over backends.
 *
 * <p>Uses: all packages below it. Each of those uses only the ones before it in this order: log, concurrent, runtime, stats,
 * wake, batch, claim, core, settle, queue, worker.
 *
 * <p>Nothing here is exported from the module; anything may change in any version.
 */
@NullMarked
package dev.jono.internal;

import org.jspecify.annotations.NullMarked;
