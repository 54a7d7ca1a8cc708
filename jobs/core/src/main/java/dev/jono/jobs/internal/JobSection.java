package dev.jono.jobs.internal;

import dev.jono.jobs.JobView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A part of the list of jobs, which is read page by page. */
interface JobSection {
    /** Identifies the section among all. */
    String name();

    /**
     * Reads jobs.
     *
     * @param place where the previous page ended; null for the beginning
     * @param limit the maximum number of jobs; with 0, none are read, and the next page begins at this place
     */
    Part read(@Nullable String place, int limit);

    /**
     * Jobs, and where the next page continues.
     *
     * @param next null at the end of the section
     */
    record Part(List<JobView> jobs, @Nullable String next) {}
}
