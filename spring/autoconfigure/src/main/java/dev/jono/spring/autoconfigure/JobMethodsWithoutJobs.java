package dev.jono.spring.autoconfigure;

import dev.jono.spring.JonoJob;
import dev.jono.spring.JonoSchedule;
import dev.jono.spring.method.AnnotatedMethod;
import dev.jono.spring.method.AnnotatedMethodProcessor;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says that methods with {@link JonoJob} or {@link JonoSchedule} are not run in an application without jobs. */
final class JobMethodsWithoutJobs extends AnnotatedMethodProcessor {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.spring");

    private final boolean missing;

    /**
     * A processor.
     *
     * @param missing whether {@code jono-jobs} is missing, so that the start fails; otherwise jobs are switched off
     */
    JobMethodsWithoutJobs(boolean missing) {
        super(Set.of(JonoJob.class, JonoSchedule.class));
        this.missing = missing;
    }

    @Override
    protected void handleAll(List<AnnotatedMethod> found) {
        if (found.isEmpty()) {
            return;
        }
        if (missing) {
            throw found.get(0)
                    .mistake(
                            "it is a job or a schedule, but jono-jobs is not on the class path",
                            "Add the dependency dev.jono:jono-jobs with the job store of the backend, such as"
                                    + " dev.jono:jono-jobs-sqlite, or remove the annotation.");
        }
        LOG.warn(
                "there is no bean of type Jobs (jono.jobs.enabled is false, or its auto-configuration is excluded), so these"
                        + " methods are not run: {}",
                found.stream().map(AnnotatedMethod::toString).collect(Collectors.joining(", ")));
    }

    @Override
    protected void handleLate(AnnotatedMethod found) {
        handleAll(List.of(found));
    }
}
