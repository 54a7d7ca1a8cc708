/**
 * The service provider interface: what authors of a backend, a signaller or a stats store implement. Applications do not
 * need this package.
 *
 * <p>A backend stores messages and hands them out. Its calls take lists, and return a result per item. The engine
 * implements everything above that once for all backends: batching, waking, retry with backoff, dead letters, workers,
 * pipelines.
 *
 * <p>Start with {@link dev.jono.spi.BackendProvider}, {@link dev.jono.spi.Backend} and {@link dev.jono.spi.QueueStore}.
 * For a driver that blocks, start with {@link dev.jono.spi.BlockingBackend} and {@link dev.jono.spi.BlockingQueueStore}.
 */
@NullMarked
package dev.jono.spi;

import org.jspecify.annotations.NullMarked;
