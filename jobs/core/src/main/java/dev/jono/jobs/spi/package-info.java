/** The SPI of job stores, which keep the records of jobs. */
@NullMarked
package dev.jono.jobs.spi;

import org.jspecify.annotations.NullMarked;
