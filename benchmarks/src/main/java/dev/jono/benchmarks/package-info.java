/**
 * Measures Jono's throughput and latency next to a comparison: the bare storage, keuss, or another setting of Jono.
 * Both sides run interleaved in one run. {@link SpeedTable} measures all rows, {@link Guard} checks some of them against
 * a baseline.
 */
@NullMarked
package dev.jono.benchmarks;

import org.jspecify.annotations.NullMarked;
