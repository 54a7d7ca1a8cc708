/**
 * What a backend, a signaller or a stats provider implements. Applications never need this package.
 *
 * <p>A backend stores messages and hands them out; it speaks in lists, with a result per item. Everything
 * that users see above that (batching, waking, retry with backoff, dead letter, workers, pipelines) is the
 * engine's, once, for all backends. Start at {@link dev.jono.spi.BackendProvider}, {@link
 * dev.jono.spi.Backend} and {@link dev.jono.spi.QueueStore}; a driver that blocks starts at {@link
 * dev.jono.spi.BlockingQueueStore}.
 */
@NullMarked
package dev.jono.spi;

import org.jspecify.annotations.NullMarked;
