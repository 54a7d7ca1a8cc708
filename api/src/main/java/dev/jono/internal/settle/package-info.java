/**
 * Settles reservations: ack, retry, release, reject and move; moves messages to the dead-letter queue.
 *
 * <p>Uses: the packages up to {@link dev.jono.internal.core}.
 *
 * <p>Called on the threads of callers and of handlers; for messages at their delivery limit, on those of the storage.
 */
@NullMarked
package dev.jono.internal.settle;

import org.jspecify.annotations.NullMarked;
