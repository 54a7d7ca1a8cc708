/**
 * How the engine writes log lines: a logger or a failure of the application that throws costs nothing but its own
 * text.
 *
 * <p>Uses: no other package of the engine.
 *
 * <p>All packages of the engine call it, on any thread.
 */
@NullMarked
package dev.jono.internal.log;

import org.jspecify.annotations.NullMarked;
