/**
 * Compares Jono with other queue libraries: all do the same work, interleaved in one run. {@link
 * dev.jono.benchmarks.compare.Compare} is the entry point. It starts a {@link dev.jono.benchmarks.compare.Session} per
 * contestant, whose processes run a {@link dev.jono.benchmarks.compare.Driver}; {@link
 * dev.jono.benchmarks.compare.Runner} measures, and {@link dev.jono.benchmarks.compare.Report} writes the result.
 */
@NullMarked
package dev.jono.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
