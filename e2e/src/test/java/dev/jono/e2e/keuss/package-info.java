/** Tests that share queues with the real keuss, which runs in Node. */
@NullMarked
package dev.jono.e2e.keuss;

import org.jspecify.annotations.NullMarked;
