/** The job store for the backend {@code postgres}. Uses the SPI of jobs and {@code dev.jono.support.postgres}. */
@NullMarked
package dev.jono.jobs.postgres;

import org.jspecify.annotations.NullMarked;
