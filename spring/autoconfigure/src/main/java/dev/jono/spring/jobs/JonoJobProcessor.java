package dev.jono.spring.jobs;

import dev.jono.CodecFactory;
import dev.jono.jobs.Jobs;
import dev.jono.json.JsonCodecs;
import dev.jono.spring.JonoJob;
import dev.jono.spring.JonoSchedule;
import dev.jono.spring.listener.ListenerContainerRegistry;
import dev.jono.spring.method.AnnotatedMethod;
import dev.jono.spring.method.AnnotatedMethodProcessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.ResolvableType;

/**
 * Registers one runner for all methods with {@link JonoJob} or {@link JonoSchedule}, and for all beans of type {@link JobDefinition},
 * {@link JobBatchDefinition} and {@link ScheduleDefinition}; none if there are none.
 */
public final class JonoJobProcessor extends AnnotatedMethodProcessor {
    /** A processor. */
    public JonoJobProcessor() {
        super(Set.of(JonoJob.class, JonoSchedule.class));
    }

    @Override
    protected void handleAll(List<AnnotatedMethod> found) {
        List<RunnerEntry<?, ?>> definitions = new ArrayList<>(declared(RunnerEntry.class));
        List<ScheduleDefinition<?>> schedules = new ArrayList<>(declared(ScheduleDefinition.class));
        JobMethods methods = new JobMethods(beans(), codecs());
        for (AnnotatedMethod method : found) {
            RunnerEntry<Object, Object> definition = methods.definition(method);
            definitions.add(definition);
            methods.schedule(method, definition.type()).ifPresent(schedules::add);
        }
        if (!definitions.isEmpty()) {
            beans().getBean(ListenerContainerRegistry.class)
                    .register(new JobRunnerContainer(
                            beans().getBean(Jobs.class),
                            beans().getBean(JobRunnerSettings.class),
                            definitions,
                            schedules));
        }
    }

    private CodecFactory codecs() {
        return beans().getBeanProvider(CodecFactory.class).getIfUnique(JsonCodecs::withFoundModules);
    }

    /** The beans of a generic type, whatever its arguments are. */
    private <T> List<T> declared(Class<?> type) {
        ObjectProvider<T> declared = beans().getBeanProvider(ResolvableType.forRawClass(type));
        return declared.orderedStream().toList();
    }

    @Override
    protected void handleLate(AnnotatedMethod found) {
        throw new IllegalStateException(
                found + ": its bean is made after the runner; a bean with job methods must not be lazy");
    }
}
