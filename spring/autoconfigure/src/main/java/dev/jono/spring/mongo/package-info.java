/** Queues on the MongoDB client of the application. Uses the driver, and Spring Data MongoDB or Spring Boot for the database. */
@NullMarked
package dev.jono.spring.mongo;

import org.jspecify.annotations.NullMarked;
