/** Jobs: typed work with a state, on queues. Start at {@link dev.jono.jobs.Jobs}. */
@NullMarked
package dev.jono.jobs;

import org.jspecify.annotations.NullMarked;
