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
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.handler.annotation.support.MessageHandlerMethodFactory;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;

/** Makes definitions of jobs and schedules of methods with {@link JonoJob} and {@link JonoSchedule}. */
final class JobMethods {
    /** The payload of methods without one. */
    private static final Map<String, Object> NO_PAYLOAD = Map.of();

    private final BeanFactory beans;
    private final MessageHandlerMethodFactory factory;
    private final CodecFactory codecs;

    JobMethods(BeanFactory beans, CodecFactory codecs) {
        this.beans = beans;
        this.codecs = codecs;
        this.factory = new MethodFactory(beans, MethodFactory.validatorOf(beans));
    }

    /** The definition of a method. */
    RunnerEntry<Object, Object> definition(AnnotatedMethod method) {
        Signature signature = signature(method);
        InvokedMethod invoked = new InvokedMethod(method, factory);
        Integer max = max(method);
        if (!signature.batch()) {
            if (max != null) {
                throw new IllegalStateException(method + ": batch is for a method that takes a list");
            }
            return new JobDefinition<>(type(method, signature), handler(invoked));
        }
        if (signature.validated()) {
            throw new IllegalStateException(
                    method + ": the payloads of a list cannot be @Valid; check them in the method");
        }
        return new JobBatchDefinition<>(
                type(method, signature),
                max == null ? beans.getBean(JobRunnerSettings.class).concurrency() : max,
                batchHandler(invoked, signature.ofMessages()));
    }

    private static Signature signature(AnnotatedMethod method) {
        return Signature.of(method, List.of(JobRun.class), JobInBatch.class);
    }

    private @Nullable Integer max(AnnotatedMethod method) {
        JonoJob annotation = method.find(JonoJob.class);
        return annotation == null ? null : new AttributeReader(beans, method).integer("batch", annotation.batch());
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
        String named = annotation == null ? null : read.text(annotation.type());
        String name = named != null ? named : method.defaultName();
        Integer maxAttempts = annotation == null ? null : read.integer("maxAttempts", annotation.maxAttempts());
        Duration timeout = annotation == null ? null : read.duration("timeout", annotation.timeout());
        Optional<JobType<?, ?>> bean = declared(name);
        if (bean.isPresent()) {
            if (maxAttempts != null || timeout != null) {
                throw new IllegalStateException(
                        method + ": the settings of the type '" + name + "' are those of its bean");
            }
            return (JobType<Object, Object>) bean.get();
        }
        JobType<Object, Object> type = (JobType<Object, Object>) JobType.of(name, TypeRef.of(payloadType(signature)))
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

    /** The schedule of a method; empty if it has none, or its expression switches it off. */
    Optional<ScheduleDefinition<Object>> schedule(AnnotatedMethod method, JobType<Object, Object> type) {
        JonoSchedule annotation = method.find(JonoSchedule.class);
        if (annotation == null) {
            return Optional.empty();
        }
        AttributeReader read = new AttributeReader(beans, method);
        String cron = read.text(annotation.cron());
        if (cron == null || cron.equals("-")) {
            return Optional.empty();
        }
        String name = read.text(annotation.name());
        return Optional.of(new ScheduleDefinition<>(
                name != null ? name : method.defaultName(),
                cron,
                zone(method, read.text(annotation.zone())),
                type,
                payload(method, read.text(annotation.payload()), type),
                Boolean.TRUE.equals(read.bool("skipMissed", annotation.skipMissed()))));
    }

    private static ZoneId zone(AnnotatedMethod method, @Nullable String zone) {
        try {
            return ZoneId.of(zone == null ? "UTC" : zone);
        } catch (DateTimeException unknown) {
            throw new IllegalStateException(method + ": there is no time zone '" + zone + "'", unknown);
        }
    }

    private Object payload(AnnotatedMethod method, @Nullable String json, JobType<Object, Object> type) {
        if (json == null) {
            if (signature(method).hasPayload()) {
                throw new IllegalStateException(
                        method + ": the method takes a payload; set it with @JonoSchedule(payload = …)");
            }
            return NO_PAYLOAD;
        }
        try {
            return codecs.codec(type.payloadType())
                    .decode(
                            EncodedPayload.of(PayloadKind.JSON, json.getBytes(StandardCharsets.UTF_8)),
                            Headers.empty());
        } catch (Exception unreadable) {
            throw new IllegalStateException(
                    method + ": the payload of the schedule is no JSON of "
                            + type.payloadType().getTypeName() + ": " + json,
                    unreadable);
        }
    }
}
