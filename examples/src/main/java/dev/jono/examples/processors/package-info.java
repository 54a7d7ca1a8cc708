/** Typed processors behind one runner with a graceful shutdown, as those of the Rust library Aide-De-Camp. */
@NullMarked
package dev.jono.examples.processors;

import org.jspecify.annotations.NullMarked;
