/**
 * Records of jobs in the MongoDB database of the queues. Uses the SPI of jobs and {@code dev.jono.support.mongo}. Its calls block
 * threads of the factory's executor.
 */
@NullMarked
package dev.jono.jobs.mongo;

import org.jspecify.annotations.NullMarked;
