/**
 * The JSON routes of Kue and of Vert.x Kue. {@link dev.jono.dashboard.internal.kue.KueJobs} translates between their jobs and those of
 * Jono; {@link dev.jono.dashboard.internal.kue.KueRoutes} and {@link dev.jono.dashboard.internal.kue.VertxKueRoutes} have the routes,
 * messages and shapes of the one and the other.
 */
@NullMarked
package dev.jono.dashboard.internal.kue;

import org.jspecify.annotations.NullMarked;
