/** The implementation of jobs on queues and job stores. It uses only the API and the SPI of Jono. */
@NullMarked
package dev.jono.jobs.internal;

import org.jspecify.annotations.NullMarked;
