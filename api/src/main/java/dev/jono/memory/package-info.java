/**
 * The in-process trio: the backend {@code memory}, the signaller {@code local} and the stats {@code mem}. The contract in
 * its simplest form, and a test double for applications. Only the providers are public, for the service loader.
 */
@NullMarked
package dev.jono.memory;

import org.jspecify.annotations.NullMarked;
