package dev.jono.support.mongo;

import com.mongodb.MongoException;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoIterable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads that survive the deletion of their queue. MongoDB ends a read whose collection is renamed or dropped meanwhile, with
 * the error {@code QueryPlanKilled}. A read changes nothing, so it can be repeated, also as a part of a call that changes
 * something. Stateless.
 */
public final class RepeatedReads {
    /** Enough for a queue that is deleted again and again. */
    private static final int ATTEMPTS = 5;

    private RepeatedReads() {}

    /** Runs a read, which may be run several times. */
    public static <R extends @Nullable Object> R run(Supplier<R> read) {
        for (int attempt = 1; ; attempt++) {
            try {
                return read.get();
            } catch (MongoException failure) {
                if (attempt == ATTEMPTS || !MongoErrors.planKilled(failure)) {
                    throw failure;
                }
            }
        }
    }

    /** All documents that a search finds. */
    public static <D> List<D> all(MongoIterable<D> search) {
        return run(() -> search.into(new ArrayList<>()));
    }

    /** The first document that a search finds; null for none. */
    public static <D> @Nullable D first(FindIterable<D> search) {
        return run(search::first);
    }
}
