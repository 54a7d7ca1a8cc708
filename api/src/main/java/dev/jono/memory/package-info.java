/**
 * The backend {@code memory}, the signaller {@code local} and the stats {@code mem}, all within one JVM. The simplest
 * implementation of the SPI; applications use it in tests. Only the providers are public, for the service loader. Calls
 * run on the caller's thread.
 */
@NullMarked
package dev.jono.memory;

import org.jspecify.annotations.NullMarked;
