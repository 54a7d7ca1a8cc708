package dev.jono.jobs.internal;

import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.StorageException;
import dev.jono.jobs.JobStep;
import dev.jono.jobs.spi.RecordChange;
import dev.jono.jobs.spi.RecordState;
import dev.jono.jobs.spi.WriteOutcome;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The steps of a run: each is run, and its result recorded, unless an earlier run has recorded it. Used by the thread of the handler. */
final class RunSteps {
    private static final int MAX_NAME = 100;
    private static final int MAX_RESULT_BYTES = 64 * 1024;
    private static final int MAX_CHARACTERS = 256 * 1024;

    /** The result null. */
    private static final EncodedPayload NONE =
            EncodedPayload.of(PayloadKind.JSON, "null".getBytes(StandardCharsets.UTF_8));

    private final JobsContext context;
    private final RunImpl run;

    RunSteps(JobsContext context, RunImpl run) {
        this.context = context;
        this.run = run;
    }

    <T> @Nullable T run(String name, Class<T> type, JobStep<? extends T> step) throws Exception {
        if (name.isEmpty() || name.length() > MAX_NAME) {
            throw new IllegalArgumentException(
                    "the name of a step must have 1 to " + MAX_NAME + " characters: '" + name + "'");
        }
        Optional<EncodedPayload> recorded = run.recordedStep(name);
        if (recorded.isPresent()) {
            return decode(name, type, recorded.get());
        }
        T result = step.run();
        record(name, encode(name, type, result));
        return result;
    }

    private <T> @Nullable T decode(String name, Class<T> type, EncodedPayload recorded) {
        if (recorded.text().equals(NONE.text())) {
            return null;
        }
        try {
            return context.<T>codec(type).decode(recorded, Headers.empty());
        } catch (Exception e) {
            throw new IllegalArgumentException(
                    "the recorded result of step '" + name + "' of job " + run.id() + " cannot be read as "
                            + type.getName(),
                    e);
        }
    }

    private <T> EncodedPayload encode(String name, Class<T> type, @Nullable T result) {
        if (result == null) {
            return NONE;
        }
        EncodedPayload encoded;
        try {
            encoded = context.<T>codec(type).encode(result, Headers.empty());
        } catch (Exception e) {
            throw new IllegalArgumentException(
                    "the result of step '" + name + "' of job " + run.id() + " cannot be encoded", e);
        }
        if (encoded.size() > MAX_RESULT_BYTES) {
            throw new IllegalArgumentException("the result of step '" + name + "' of job " + run.id() + " has "
                    + encoded.size() + " bytes; the maximum is " + MAX_RESULT_BYTES);
        }
        return encoded;
    }

    private void record(String name, EncodedPayload result) {
        boolean[] fits = {true};
        RecordChange change = run.change(
                        RecordState.OPEN, document -> fits[0] = document.recordStep(name, result, MAX_CHARACTERS))
                .build();
        WriteOutcome outcome = context.write(change);
        if (!fits[0]) {
            throw new IllegalArgumentException("the steps of job " + run.id() + " have more than " + MAX_CHARACTERS
                    + " characters with step '" + name + "'");
        }
        if (outcome != WriteOutcome.STORED) {
            throw new StorageException(
                    "step '" + name + "' of job " + run.id()
                            + " is not recorded: the job has ended, or another run has it",
                    null,
                    null,
                    null);
        }
    }
}
