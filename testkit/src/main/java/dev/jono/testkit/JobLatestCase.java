package dev.jono.testkit;

import dev.jono.Capability;
import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobType;
import dev.jono.jobs.UniqueMode;
import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.StoredEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;

/** The base of the tests of jobs that take the payloads of their duplicates. */
abstract class JobLatestCase extends JobCase {
    /** The key of a job is the first letter of its text. */
    static final JobType<String, String> LATEST = SHOUT.unique(text -> text.substring(0, 1), UniqueMode.LATEST);

    /** The texts of the runs, in the order of their starts. */
    final List<String> begun = Collections.synchronizedList(new ArrayList<>());

    JobLatestCase(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsBothKeys() {
        requires(Capability.DEDUPLICATE, Capability.KEYED);
    }

    final String shout(String text) {
        begun.add(text);
        return text;
    }

    /** The queue of the jobs of {@link #LATEST}. */
    final MessageQueue<EncodedPayload> keyed() {
        return jono().queue("{jobs:shout}:keyed", Codec.raw());
    }

    static String message(JobHandle<?> job) {
        return job.id().substring(job.id().indexOf(':') + 1);
    }

    /** The names of the entries with payloads of waiting jobs. */
    final List<String> kept() {
        try (JobStore store = JobStoreCase.open(jono())) {
            return StoreCase.got(store.listEntries("latest", "", 100)).entries().stream()
                    .map(StoredEntry::name)
                    .toList();
        }
    }

    /** The payload of a job, which is the JSON of a text. */
    final String payload(JobHandle<?> job) {
        return view(job).payload().text().replace("\"", "");
    }
}
