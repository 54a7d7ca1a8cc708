/**
 * The signaller {@code mongo-capped}: one capped collection for all queues, in the format of keuss 2.x, so that Node
 * and Java processes wake each other. Works with any backend. Uses the SPI and {@code dev.jono.support.mongo}. The
 * engine calls it; its calls and its reader block threads of the factory's executor.
 */
@NullMarked
package dev.jono.signal.mongocapped;

import org.jspecify.annotations.NullMarked;
