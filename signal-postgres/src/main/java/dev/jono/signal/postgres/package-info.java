/**
 * The signaller {@code postgres}. {@code Publisher} sends signals by {@code NOTIFY}, {@code Reader} receives them by {@code
 * LISTEN} on a connection of its own. Uses the SPI and {@code dev.jono.support.postgres}.
 */
@NullMarked
package dev.jono.signal.postgres;

import org.jspecify.annotations.NullMarked;
