/**
 * The stats {@code redis}: a hash per queue in the format of keuss 2.x, so that Node and Java processes share
 * counters and the paused flag. Works with any backend.
 */
@NullMarked
package dev.jono.stats.redis;

import org.jspecify.annotations.NullMarked;
