package dev.jono.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.core.annotation.AliasFor;
import org.springframework.messaging.handler.annotation.MessageMappingReflectiveProcessor;

/**
 * Runs the jobs of a type with a method of a bean. Its parameters are the payload and, if it likes, a {@code JobRun}, in any order. What
 * it returns is the result of the job. A method whose only parameter is a {@link java.util.List} of payloads or of {@code JobInBatch} runs
 * several jobs at once; when it returns, all have succeeded.
 *
 * <pre>{@code
 * @JonoJob("resize")
 * Thumb resize(@Valid Resize resize, JobRun run) {
 *     run.progress(1, 3);
 *     return thumbs.make(resize);
 * }
 * }</pre>
 *
 * <p>If the application has a bean of type {@code JobType} with this name, its settings apply. Otherwise the method defines the type: by the
 * name, the type of the payload, the type of the result, and the attributes here, which are text and can contain placeholders. A payload
 * that is not valid fails the job without further attempts.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(MessageMappingReflectiveProcessor.class)
public @interface JonoJob {
    /** Alias for {@link #type()}. */
    @AliasFor("type")
    String value() default "";

    /** The name of the type; it is stored with each job, so it must not change. By default the names of the bean and the method. */
    @AliasFor("value")
    String type() default "";

    /** The maximum number of runs of a job. Not allowed if there is a bean for the type. */
    String maxAttempts() default "";

    /** The maximum duration of an attempt, such as {@code 5m}. Not allowed if there is a bean for the type. */
    String timeout() default "";

    /**
     * The maximum number of jobs that are run at once, 1 or more; only for a method that takes a list. By default and at most {@code
     * jono.jobs.runner.concurrency}. With {@code false} the list is the payload of one job. A list with {@code @Payload} needs this
     * attribute, because it can mean both.
     */
    String batch() default "";
}
