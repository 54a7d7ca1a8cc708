/** Jono beside what a user would pick instead, on the same work in one run. {@link dev.jono.benchmarks.compare.Compare} begins it. */
@NullMarked
package dev.jono.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
