/** The engine: batching, waking, settling, workers. No promise to anybody outside {@code dev.jono}. */
@NullMarked
package dev.jono.internal;

import org.jspecify.annotations.NullMarked;
