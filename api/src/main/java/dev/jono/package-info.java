/**
 * Jono's API for applications: {@link dev.jono.QueueFactory} opens queues on a storage, {@link
 * dev.jono.MessageQueue} pushes, pops and reserves, {@link dev.jono.Worker} handles messages.
 */
@NullMarked
package dev.jono;

import org.jspecify.annotations.NullMarked;
