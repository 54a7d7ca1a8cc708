/** What faults of servers and networks must not do, whatever the storage. */
@NullMarked
package dev.jono.e2e.faults;

import org.jspecify.annotations.NullMarked;
