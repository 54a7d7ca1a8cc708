/** Scenarios of faults of servers and networks, for all storages. */
@NullMarked
package dev.jono.e2e.faults;

import org.jspecify.annotations.NullMarked;
