/** Named queues that are each handled in their order, as those of the Node library queue-farm. */
@NullMarked
package dev.jono.examples.farm;

import org.jspecify.annotations.NullMarked;
