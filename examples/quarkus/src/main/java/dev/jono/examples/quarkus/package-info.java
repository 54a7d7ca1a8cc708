/** Queues and a worker as CDI beans in Quarkus. */
@NullMarked
package dev.jono.examples.quarkus;

import org.jspecify.annotations.NullMarked;
