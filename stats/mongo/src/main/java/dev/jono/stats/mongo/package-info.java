/**
 * The stats {@code mongo}: a document per queue, in the format of keuss 2.x, so that Node and Java processes share counters
 * and the paused flag. Usable with any backend.
 */
@NullMarked
package dev.jono.stats.mongo;

import org.jspecify.annotations.NullMarked;
