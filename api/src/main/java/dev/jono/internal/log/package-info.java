/**
 * Writes the log lines of the engine, also if a logger, or an exception of the application, throws.
 *
 * <p>Uses: no other package of the engine.
 *
 * <p>All packages of the engine call it, on any thread.
 */
@NullMarked
package dev.jono.internal.log;

import org.jspecify.annotations.NullMarked;
