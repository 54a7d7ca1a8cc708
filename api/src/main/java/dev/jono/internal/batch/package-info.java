/**
 * Storage calls: each with its time limit and its repetitions, and calls of one kind that are sent in batches.
 *
 * <p>Uses: the packages up to {@link dev.jono.internal.wake}.
 *
 * <p>Callers submit calls on their own threads; the threads of the storage complete them and send the next batch.
 */
@NullMarked
package dev.jono.internal.batch;

import org.jspecify.annotations.NullMarked;
