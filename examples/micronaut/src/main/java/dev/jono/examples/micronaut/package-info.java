/** Queues and a worker as beans in Micronaut. */
@NullMarked
package dev.jono.examples.micronaut;

import org.jspecify.annotations.NullMarked;
