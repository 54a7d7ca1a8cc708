/** A nightly import: a schedule, a batch, and a callback. */
@NullMarked
package dev.jono.examples.nightly;

import org.jspecify.annotations.NullMarked;
