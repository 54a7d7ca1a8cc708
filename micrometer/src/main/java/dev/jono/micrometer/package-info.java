/**
 * Metrics, observations and logging contexts of queues and jobs: {@link dev.jono.micrometer.JonoMetrics}, {@link
 * dev.jono.micrometer.JonoJobMetrics}, {@link dev.jono.micrometer.JonoObservations}, {@link dev.jono.micrometer.JonoMdc}.
 */
@NullMarked
package dev.jono.micrometer;

import org.jspecify.annotations.NullMarked;
