/** Stand-ins for what the engine gets from outside: clock, executor, storage. They use the engine's public types only. */
@NullMarked
package dev.jono.internal.fakes;

import org.jspecify.annotations.NullMarked;
