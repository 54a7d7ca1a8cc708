package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.jobs.JobType;

/** Parts of command lines that name jobs. */
final class JobOptions {
    private JobOptions() {}

    /** The type of this name. Payloads and results stay encoded. */
    static JobType<EncodedPayload, EncodedPayload> type(String name) {
        try {
            return JobType.of(name, EncodedPayload.class).returning(EncodedPayload.class);
        } catch (IllegalArgumentException e) {
            throw CliException.usage(ErrorLine.of(e));
        }
    }

    /** The type of the job with this id. */
    static JobType<EncodedPayload, EncodedPayload> typeOf(String id) {
        return type(checkId(id).substring(0, id.indexOf(':')));
    }

    /** Refuses a text that is no id of a job. */
    static String checkId(String id) {
        int colon = id.indexOf(':');
        if (colon < 1 || colon == id.length() - 1) {
            throw CliException.usage("'" + id + "' is not the id of a job, which is TYPE:ID");
        }
        return id;
    }
}
