/** Processes on many hosts that share their work through Redis, and pause together. */
@NullMarked
package dev.jono.examples.tickets;

import org.jspecify.annotations.NullMarked;
