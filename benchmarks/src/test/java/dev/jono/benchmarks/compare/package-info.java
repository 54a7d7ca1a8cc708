/** Tests of the parts of the comparison whose faults would not be noticed in a result. */
@NullMarked
package dev.jono.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
