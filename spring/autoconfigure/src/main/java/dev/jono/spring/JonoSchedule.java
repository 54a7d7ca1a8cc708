package dev.jono.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;
import org.springframework.messaging.handler.annotation.MessageMappingReflectiveProcessor;

/**
 * Enqueues a job at each time of a cron expression, once over all processes. The method runs the jobs, in whichever process has room. It
 * can have {@link JonoJob} too; otherwise the schedule's name is the name of the type of its jobs.
 *
 * <pre>{@code
 * @JonoSchedule(cron = "0 2 * * MON-FRI", zone = "Europe/Berlin")
 * void closeTheDay() {
 *     ledger.close();
 * }
 * }</pre>
 *
 * <p>A schedule stays in the storage when its method is removed; {@code Jobs.unschedule} removes it. The attributes are text and can contain
 * placeholders.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(MessageMappingReflectiveProcessor.class)
public @interface JonoSchedule {
    /**
     * The expression, see {@code Jobs.schedule}; {@code -} for no schedule in this application, for example by a placeholder in some
     * environments. A method without {@link JonoJob} runs no jobs then.
     *
     * <p>All processes on the storage share its schedules. So a start with {@code -} also removes the schedule with this name, unless a
     * runner of another process handles the jobs of the schedule: then it stays, and a warning in the log names that runner. With {@code
     * jono.jobs.runner.enabled=false} nothing is removed.
     */
    String cron();

    /** The time zone of the expression; UTC by default. */
    String zone() default "UTC";

    /** The name of the schedule; by default the names of the bean and the method. */
    String name() default "";

    /** The payload of the jobs as JSON, for a method with a payload. */
    String payload() default "";

    /** Whether occurrences are skipped that no process could enqueue in time: {@code true} or {@code false}. */
    String skipMissed() default "false";
}
