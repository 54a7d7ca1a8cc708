/** Metrics, traces and the logging context of queues and jobs, where the application has {@code jono-micrometer}. */
@NullMarked
package dev.jono.spring.metrics;

import org.jspecify.annotations.NullMarked;
