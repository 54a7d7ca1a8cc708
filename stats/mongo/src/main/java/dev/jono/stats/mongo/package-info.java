/**
 * The stats {@code mongo}: one document per queue, in the format of keuss 2.x, so that Node and Java processes share
 * counters and the paused flag. Works with any backend. Uses the SPI and {@code dev.jono.support.mongo}. The engine
 * calls it; its calls block threads of the factory's executor.
 */
@NullMarked
package dev.jono.stats.mongo;

import org.jspecify.annotations.NullMarked;
