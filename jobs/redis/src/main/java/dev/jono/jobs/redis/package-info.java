/** Records of jobs in the Redis of the queues. */
@NullMarked
package dev.jono.jobs.redis;

import org.jspecify.annotations.NullMarked;
