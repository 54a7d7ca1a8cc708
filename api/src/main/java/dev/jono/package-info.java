/**
 * The API for applications. {@link dev.jono.QueueFactory} opens queues in a storage, {@link dev.jono.MessageQueue}
 * pushes, pops and reserves messages, and {@link dev.jono.Worker} runs a handler for each message.
 */
@NullMarked
package dev.jono;

import org.jspecify.annotations.NullMarked;
