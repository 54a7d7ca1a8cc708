/**
 * The backends {@code mongo}, {@code pl-mongo} and {@code ps-mongo}: one document per message, in the layouts of keuss
 * 2.x. They differ in the collection of a queue and in the history that they keep ({@code Layouts}); the rest is
 * shared. Uses the SPI and {@code dev.jono.support.mongo}. The engine calls it through {@code DocumentBackend}; its calls
 * block threads of the backend's executor.
 */
@NullMarked
package dev.jono.backend.mongo;

import org.jspecify.annotations.NullMarked;
