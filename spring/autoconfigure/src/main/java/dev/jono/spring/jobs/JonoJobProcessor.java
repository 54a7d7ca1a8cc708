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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        List<DeclaredSchedule> schedules =
                new ArrayList<>(this.<ScheduleDefinition<?>>declared(ScheduleDefinition.class).stream()
                        .map(DeclaredSchedule::ofBean)
                        .toList());
        List<SwitchedOffSchedule> switchedOff = new ArrayList<>();
        JobMethods methods = new JobMethods(beans(), codecs());
        UniqueNames types = new UniqueNames("job type");
        UniqueNames names = new UniqueNames("schedule");
        for (AnnotatedMethod method : found) {
            if (methods.isSwitchedOff(method)) {
                switchedOff.add(new SwitchedOffSchedule(methods.scheduleName(method)));
                if (!methods.isJob(method)) {
                    continue;
                }
            }
            RunnerEntry<Object, Object> definition = methods.definition(method);
            types.add(definition.type().name(), method);
            definitions.add(definition);
            methods.schedule(method, definition.type()).ifPresent(schedule -> {
                names.add(schedule.name(), method);
                schedules.add(new DeclaredSchedule(method, schedule));
            });
        }
        start(definitions, schedules, switchedOff);
    }

    private void start(
            List<RunnerEntry<?, ?>> definitions,
            List<DeclaredSchedule> schedules,
            List<SwitchedOffSchedule> switchedOff) {
        if (definitions.isEmpty() && switchedOff.isEmpty()) {
            return;
        }
        Jobs jobs = beans().getBean(Jobs.class);
        JobRunnerSettings settings = beans().getBean(JobRunnerSettings.class);
        if (settings.autoStartup()) {
            switchedOff.forEach(schedule -> schedule.apply(jobs));
        }
        if (!definitions.isEmpty()) {
            beans().getBean(ListenerContainerRegistry.class)
                    .register(new JobRunnerContainer(jobs, settings, definitions, schedules));
        }
    }

    /** The names that methods have declared; each only once. */
    private static final class UniqueNames {
        private final String kind;
        private final Map<String, AnnotatedMethod> methods = new HashMap<>();

        UniqueNames(String kind) {
            this.kind = kind;
        }

        void add(String name, AnnotatedMethod method) {
            AnnotatedMethod first = methods.putIfAbsent(name, method);
            if (first != null) {
                throw method.mistake(
                        "the " + kind + " '" + name + "' is that of " + first + " too",
                        "Give one of them another name.");
            }
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
        throw found.mistake(
                "its bean is made after the runner of jobs",
                "A bean with job methods must be a singleton that is not lazy.");
    }
}
