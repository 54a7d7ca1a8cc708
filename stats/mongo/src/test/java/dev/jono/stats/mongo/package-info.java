/** Tests of the stats {@code mongo}. */
@NullMarked
package dev.jono.stats.mongo;

import org.jspecify.annotations.NullMarked;
