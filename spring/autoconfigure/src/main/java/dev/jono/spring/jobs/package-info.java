/** Runs methods with {@code @JonoJob} and {@code @JonoSchedule} as jobs. Uses {@code jono-jobs}, which an application need not have. */
@NullMarked
package dev.jono.spring.jobs;

import org.jspecify.annotations.NullMarked;
