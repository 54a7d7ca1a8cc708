/** What can be wrong in the comparison without anybody noticing. */
@NullMarked
package dev.jono.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
