/** Tests of the stats {@code redis}. */
@NullMarked
package dev.jono.stats.redis;

import org.jspecify.annotations.NullMarked;
