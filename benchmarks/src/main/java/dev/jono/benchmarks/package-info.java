/** Throughput and latency, each against what it is compared to, side by side in one run. */
@NullMarked
package dev.jono.benchmarks;

import org.jspecify.annotations.NullMarked;
