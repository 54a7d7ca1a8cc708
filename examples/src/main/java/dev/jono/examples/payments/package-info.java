/** Payments that are booked in their order per account. An account whose payment fails blocks only itself. */
@NullMarked
package dev.jono.examples.payments;

import org.jspecify.annotations.NullMarked;
