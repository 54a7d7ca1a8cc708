package dev.jono.jobs.spi;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * A store for the records of jobs. Methods take lists, and return a result per item in the same order; an empty list gives an empty
 * result. Thread-safe. A step that was certainly not done fails with {@link dev.jono.StorageException}. A step with an unknown outcome
 * fails with {@link dev.jono.OutcomeUnknownException}. The methods do not block; the stages complete on any thread. Callers do not
 * block that thread.
 *
 * <ol>
 *   <li>A write of one record is atomic: record, log lines and counts change together or not at all.
 *   <li>The record of a job that has ended is not changed; {@link RecordChange#reopens()} changes a failed one.
 *   <li>A run does not write an open record as open if a run with a higher number has written it. It may end it.
 *   <li>All times are by the storage's clock, or by that of the factory if the storage has none.
 *   <li>A repeated write has the outcome of the first one, or the outcome of a write to the record that the first one stored.
 *   <li>Entries are small documents that processes share, such as schedules. They are changed by compare-and-set.
 *   <li>The log of events tells processes what others have done. It keeps about the last 10,000 events. It may lose events, because
 *       no process relies on them. Its order is the same for all readers.
 * </ol>
 */
public interface JobStore extends AutoCloseable {
    /** Writes records. Changes of the same job take effect in their order. */
    CompletionStage<List<WriteOutcome>> write(List<RecordChange> changes);

    /** Reads the records of these jobs. Jobs without a record are not in the map. */
    CompletionStage<Map<String, StoredRecord>> read(List<String> ids);

    /** Reads up to {@code max} lines at the end of a job's log, oldest first; none for a job without a record. */
    CompletionStage<List<LogLine>> log(String id, int max);

    /** Removes records with their logs. Returns for each job whether it had a record. */
    CompletionStage<List<Boolean>> remove(List<String> ids);

    /** Removes those of these records whose retention has ended at this moment, with their logs. Returns for each whether it was. */
    CompletionStage<List<Boolean>> removeExpired(List<String> ids);

    /** Keeps those of these records whose retention has ended for this time from now on, in milliseconds. */
    CompletionStage<Void> postpone(List<String> ids, long keepMillis);

    /** Reads up to {@code max} records whose retention has ended, in the order of these ends. */
    CompletionStage<List<StoredRecord>> expired(int max);

    /** Reads one page of records, the last changed first. */
    CompletionStage<List<StoredRecord>> find(RecordQuery query);

    /** Reads the ids of up to {@code max} records of a type and state, the first changed first: the order of {@link #find}, reversed. */
    CompletionStage<List<String>> oldest(String type, RecordState state, int max);

    /** Returns the number of records per type and state; zeros are left out, and so are types without records. Its cost must not depend on these numbers. */
    CompletionStage<Map<String, Map<RecordState, Long>>> counts();

    /**
     * Changes entries. Each change is atomic. Changes of the same entry take effect in their order, but not together. Returns for each
     * whether the entry has the new content now: false if another change came first. A change that was done is not done again, and
     * returns true as long as its version is the last one. A removal also returns true if there is no entry.
     */
    CompletionStage<List<Boolean>> changeEntries(List<EntryChange> changes);

    /** Reads the entries of a kind with these names, sorted by name; those that are missing are left out. */
    CompletionStage<EntryPage> entries(String kind, List<String> names);

    /**
     * Reads entries of a kind, sorted by name.
     *
     * @param after the name behind which the page begins; empty for the first page
     * @param max the maximum number of entries, 1 or more
     */
    CompletionStage<EntryPage> listEntries(String kind, String after, int max);

    /**
     * Announces that a process reads events, so that the others append theirs. Another call of the reader replaces its announcement.
     *
     * @param reader the name of the process, up to 100 characters
     * @param leaseMillis how long the announcement is valid, in milliseconds by the storage's clock; 0 ends it
     * @return the position of the last event in the log, for {@link #events}
     */
    CompletionStage<String> listenToEvents(String reader, long leaseMillis);

    /**
     * Appends events to the log, in their order, if a reader other than the writer is announced. Otherwise it does nothing. An event
     * whose append has an unknown outcome may be in the log twice if it is appended again.
     *
     * @param writer the name of the process, as for {@link #listenToEvents}
     * @param events the contents, up to 500, each at most 64 KiB of text; if it is empty, the call only looks for readers
     * @return whether another reader is announced
     */
    CompletionStage<Boolean> appendEvents(String writer, List<String> events);

    /**
     * Reads events, oldest first. Returns an empty list at the end of the log.
     *
     * @param after the position of the last event that the caller knows; empty to begin with the oldest event. If the log no longer has
     *     it, the page begins with the oldest event after it, or with the oldest one
     * @param max the maximum number of events, 1 or more
     */
    CompletionStage<List<StoredEvent>> events(String after, int max);

    /** Closes the store. The connection of the backend stays open. */
    @Override
    void close();
}
