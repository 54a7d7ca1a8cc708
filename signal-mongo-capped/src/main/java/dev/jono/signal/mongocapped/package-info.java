/**
 * The signaller {@code mongo-capped}: one capped collection for all queues, in the format of keuss 2.x, so that Node and
 * Java processes wake each other. Usable with any backend.
 */
@NullMarked
package dev.jono.signal.mongocapped;

import org.jspecify.annotations.NullMarked;
