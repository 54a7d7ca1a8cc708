package dev.jono.spring.jobs;

import dev.jono.CodecFactory;
import dev.jono.EncodedPayload;
import dev.jono.Headers;
import dev.jono.PayloadKind;
import dev.jono.TypeRef;
import dev.jono.jobs.JobBatchHandler;
import dev.jono.jobs.JobHandler;
import dev.jono.jobs.JobInBatch;
import dev.jono.jobs.JobRun;
import dev.jono.jobs.JobType;
import dev.jono.spring.JonoJob;
import dev.jono.spring.JonoSchedule;
import dev.jono.spring.method.AnnotatedMethod;
import dev.jono.spring.method.AttributeReader;
import dev.jono.spring.method.InvalidPayload;
import dev.jono.spring.method.InvokedMethod;
import dev.jono.spring.method.MethodFactory;
import dev.jono.spring.method.Signature;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.handler.annotation.support.MessageHandlerMethodFactory;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.validation.Validator;

/** Makes definitions of jobs and schedules of methods with {@link JonoJob} and {@link JonoSchedule}. */
final class JobMethods {
    /** The payload of methods without one. */
    private static final Map<String, Object> NO_PAYLOAD = Map.of();

    /** The expression that switches a schedule off. */
    private static final String OFF = "-";

    private final ListableBeanFactory beans;
    private final @Nullable Validator validator;
    private final MessageHandlerMethodFactory factory;
    private final CodecFactory codecs;

    JobMethods(ListableBeanFactory beans, CodecFactory codecs) {
        this.beans = beans;
        this.codecs = codecs;
        this.validator = MethodFactory.validatorOf(beans);
        this.factory = new MethodFactory(beans, validator);
    }

    /** The definition of a method. */
    RunnerEntry<Object, Object> definition(AnnotatedMethod method) {
        Signature signature = signature(method);
        InvokedMethod invoked = new InvokedMethod(method, factory);
        int max = max(method, signature);
        if (!signature.batch()) {
            MethodFactory.requireValidator(method, signature, validator);
            return new JobDefinition<>(type(method, signature), handler(invoked));
        }
        if (signature.validated()) {
            throw method.mistake("the payloads of a list cannot be @Valid", "Check them in the method.");
        }
        return new JobBatchDefinition<>(type(method, signature), max, batchHandler(invoked, signature.ofMessages()));
    }

    private Signature signature(AnnotatedMethod method) {
        AttributeReader read = new AttributeReader(beans, method);
        return Signature.of(method, read.text("batch", batch(method)), List.of(JobRun.class), JobInBatch.class);
    }

    private static String batch(AnnotatedMethod method) {
        JonoJob annotation = method.find(JonoJob.class);
        return annotation == null ? "" : annotation.batch();
    }

    private int max(AnnotatedMethod method, Signature signature) {
        AttributeReader read = new AttributeReader(beans, method);
        Integer max = signature.batchSize(method, read, batch(method));
        int concurrency = beans.getBean(JobRunnerSettings.class).concurrency();
        if (max != null && max > concurrency) {
            throw read.unexpected(
                    "batch",
                    String.valueOf(max),
                    "at most " + concurrency + ", which is jono.jobs.runner.concurrency",
                    null);
        }
        return max == null ? concurrency : max;
    }

    private static JobBatchHandler<Object, Object> batchHandler(InvokedMethod method, boolean takesJobs) {
        return jobs -> method.invoke(
                takesJobs ? jobs : jobs.stream().map(JobInBatch::payload).toList(), Map.of());
    }

    private static JobHandler<Object, Object> handler(InvokedMethod method) {
        boolean takesRun = method.takes(JobRun.class);
        return (payload, run) -> {
            try {
                return takesRun ? method.invoke(payload, Map.of(), run) : method.invoke(payload, Map.of());
            } catch (MethodArgumentNotValidException invalid) {
                throw run.fail(InvalidPayload.text(invalid.getBindingResult()));
            }
        };
    }

    @SuppressWarnings("unchecked") // a type of this name; its handler gets the payloads that the type can read
    private JobType<Object, Object> type(AnnotatedMethod method, Signature signature) {
        JonoJob annotation = method.find(JonoJob.class);
        AttributeReader read = new AttributeReader(beans, method);
        String named = annotation == null ? null : read.text("type", annotation.type());
        String name = named != null ? named : method.defaultName();
        Integer maxAttempts = annotation == null ? null : read.integer("maxAttempts", annotation.maxAttempts(), 1);
        Duration timeout = annotation == null ? null : read.duration("timeout", annotation.timeout());
        Optional<JobType<?, ?>> bean = declared(name);
        if (bean.isPresent()) {
            if (maxAttempts != null || timeout != null) {
                throw method.mistake(
                        "maxAttempts or timeout is set, but there is a bean for the type '" + name + "'",
                        "Set them at that bean.");
            }
            return (JobType<Object, Object>) bean.get();
        }
        TypeRef<Object> payload = (TypeRef<Object>) TypeRef.of(payloadType(signature));
        JobType<Object, Object> type =
                (JobType<Object, Object>) read.checked("type", name, value -> JobType.of(value, payload))
                        .returning(TypeRef.of(resultType(method, signature)));
        type = maxAttempts == null ? type : type.maxAttempts(maxAttempts);
        return timeout == null ? type : type.timeout(timeout);
    }

    private Optional<JobType<?, ?>> declared(String name) {
        ObjectProvider<JobType<?, ?>> types = beans.getBeanProvider(ResolvableType.forRawClass(JobType.class));
        return types.stream().filter(type -> type.name().equals(name)).findFirst();
    }

    private static Type payloadType(Signature signature) {
        return signature.hasPayload() ? signature.payload() : new TypeRef<Map<String, Object>>() {}.type();
    }

    private static Type resultType(AnnotatedMethod method, Signature signature) {
        ResolvableType result =
                signature.batch() ? resultInBatch(method) : ResolvableType.forMethodParameter(at(method, -1));
        if (CompletionStage.class.isAssignableFrom(result.toClass())) {
            result = result.as(CompletionStage.class).getGeneric(0);
        }
        return result.toClass() == void.class || result.resolve() == null ? Void.class : result.getType();
    }

    /** The type with which a {@code List<JobInBatch<P, R>>} lets jobs succeed. */
    private static ResolvableType resultInBatch(AnnotatedMethod method) {
        return ResolvableType.forMethodParameter(at(method, 0)).getGeneric(0, 1);
    }

    private static MethodParameter at(AnnotatedMethod method, int index) {
        return new MethodParameter(method.declared(), index).withContainingClass(method.targetClass());
    }

    /** Whether a method declares a type of jobs itself, and not only by its schedule. */
    boolean isJob(AnnotatedMethod method) {
        return method.find(JonoJob.class) != null;
    }

    /** Whether a method has a schedule that its expression switches off. */
    boolean isSwitchedOff(AnnotatedMethod method) {
        JonoSchedule annotation = method.find(JonoSchedule.class);
        return annotation != null && OFF.equals(new AttributeReader(beans, method).text("cron", annotation.cron()));
    }

    /** The name of the schedule of a method that has one. */
    String scheduleName(AnnotatedMethod method) {
        String name = new AttributeReader(beans, method)
                .text("name", method.get(JonoSchedule.class).name());
        return name != null ? name : method.defaultName();
    }

    /** The schedule of a method; empty if it has none, or its expression switches it off. */
    Optional<ScheduleDefinition<Object>> schedule(AnnotatedMethod method, JobType<Object, Object> type) {
        JonoSchedule annotation = method.find(JonoSchedule.class);
        if (annotation == null || isSwitchedOff(method)) {
            return Optional.empty();
        }
        AttributeReader read = new AttributeReader(beans, method);
        String cron = read.text("cron", annotation.cron());
        if (cron == null) {
            throw method.mistake("cron is empty", "Set an expression, or '-' for no schedule in this application.");
        }
        return Optional.of(new ScheduleDefinition<>(
                scheduleName(method),
                cron,
                zone(read, read.text("zone", annotation.zone())),
                type,
                payload(method, read.text("payload", annotation.payload()), type),
                Boolean.TRUE.equals(read.bool("skipMissed", annotation.skipMissed()))));
    }

    private static ZoneId zone(AttributeReader read, @Nullable String zone) {
        String id = zone == null ? "UTC" : zone;
        try {
            return ZoneId.of(id);
        } catch (DateTimeException unknown) {
            throw read.unexpected("zone", id, "a time zone such as Europe/Berlin", unknown);
        }
    }

    private Object payload(AnnotatedMethod method, @Nullable String json, JobType<Object, Object> type) {
        if (json == null) {
            if (signature(method).hasPayload()) {
                throw method.mistake(
                        "the method takes a payload, but its schedule has none",
                        "Set it with @JonoSchedule(payload = \"…\").");
            }
            return NO_PAYLOAD;
        }
        try {
            return codecs.codec(type.payloadType())
                    .decode(
                            EncodedPayload.of(PayloadKind.JSON, json.getBytes(StandardCharsets.UTF_8)),
                            Headers.empty());
        } catch (Exception unreadable) {
            throw method.mistake(
                    "payload is '" + json + "', expected JSON of "
                            + type.payloadType().getTypeName(),
                    "Correct the attribute 'payload', or the property that it refers to.",
                    unreadable);
        }
    }
}
