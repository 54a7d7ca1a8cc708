/**
 * What the pages and the REST API show: snapshots of queues, messages and jobs, and the changes that users make. Looks at the storages
 * through the public API only.
 */
@NullMarked
package dev.jono.dashboard.internal.source;

import org.jspecify.annotations.NullMarked;
