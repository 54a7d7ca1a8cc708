/**
 * Compares Jono with other queue libraries: all do the same work, interleaved in one run. {@link Compare} is the entry
 * point. It starts a {@link Session} per contestant, whose processes run a {@link Driver}; {@link Runner} measures, and
 * {@link Report} writes the result.
 */
@NullMarked
package dev.jono.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
