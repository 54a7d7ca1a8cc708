/**
 * The dashboard: {@link dev.jono.dashboard.Dashboard} shows queues and jobs in a browser and by REST, and lets people repair them.
 * {@link dev.jono.dashboard.DashboardServlet} mounts it in an application.
 */
@NullMarked
package dev.jono.dashboard;

import org.jspecify.annotations.NullMarked;
