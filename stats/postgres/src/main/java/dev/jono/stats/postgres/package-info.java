/** The stats {@code postgres}. Uses the SPI and {@code dev.jono.support.postgres}. */
@NullMarked
package dev.jono.stats.postgres;

import org.jspecify.annotations.NullMarked;
