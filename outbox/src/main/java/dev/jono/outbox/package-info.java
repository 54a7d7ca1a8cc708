/**
 * Messages that are stored in a table of the application, in its transactions, and relayed to queues of any storage. {@link
 * dev.jono.outbox.Outbox} is the entry. Applications call it on their threads; the relay has one thread in each process.
 */
@NullMarked
package dev.jono.outbox;

import org.jspecify.annotations.NullMarked;
