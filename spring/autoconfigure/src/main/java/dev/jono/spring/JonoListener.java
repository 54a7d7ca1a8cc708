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
 * Handles the messages of a queue with a method of a bean. When the method returns, the message is acked, unless the method has
 * settled it. When it throws, the message is retried with the queue's backoff; {@link dev.jono.RejectException} and {@link
 * dev.jono.SnoozeException} act as in a {@link dev.jono.Handler}. If it returns a {@link java.util.concurrent.CompletionStage}, it
 * has returned when that is complete.
 *
 * <pre>{@code
 * @JonoListener(queue = "orders", concurrency = "8")
 * void ship(@Valid Order order, @Header("tenant") String tenant) {
 *     carrier.ship(tenant, order);
 * }
 * }</pre>
 *
 * <table>
 * <caption>Parameters</caption>
 * <tr><td>any other type, or {@code @Payload}</td><td>the payload; with {@code @Valid} an invalid one is rejected</td></tr>
 * <tr><td>{@link dev.jono.Reservation}, {@link dev.jono.Message}, {@link dev.jono.Lease}</td><td>the message, and its lease</td></tr>
 * <tr><td>{@code @Header}, {@code @Headers}, {@link dev.jono.Headers}</td><td>headers; also those of {@link JonoHeaders}</td></tr>
 * <tr><td>{@link java.util.List} of payloads, reservations or messages</td><td>a batch, as the only parameter; see {@link #batch}</td></tr>
 * </table>
 *
 * <p>All attributes are text, and can contain placeholders such as {@code ${shop.queue}}. An attribute that is not set has the value
 * of the container factory, which {@code jono.worker.*} sets.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective(MessageMappingReflectiveProcessor.class)
public @interface JonoListener {
    /** Alias for {@link #queue()}. */
    @AliasFor("queue")
    String[] value() default {};

    /** The names of the queues. Several queues share the concurrency. */
    @AliasFor("value")
    String[] queue() default {};

    /** The id of the listener, for the registry, log lines and the actuator; by default the names of the bean and the method. */
    String id() default "";

    /**
     * How many messages are handled at the same time in this process, at most; 1 or more. For a method that takes batches: how many
     * batches, of which each has one call of the method.
     */
    String concurrency() default "";

    /**
     * The maximum number of messages in a batch, 1 or more; only for a method that takes a {@link java.util.List}. With {@code false} the
     * list is the payload of one message, and other parameters are allowed. A list with {@code @Payload} needs this attribute, because it
     * can mean both.
     */
    String batch() default "";

    /** How many more messages are claimed in advance; 0 or more. */
    String prefetch() default "";

    /** The length of the leases, such as {@code 1m}, which a heartbeat extends. */
    String lease() default "";

    /** How long the method can run before it is interrupted, such as {@code 5m}. */
    String maxRuntime() default "";

    /**
     * Opens the queues keyed: this many messages of one ordering key are held at once, {@code 1} is the strict order. Must be the
     * same in all processes, so {@code jono.queues.<name>.keyed} is often the better place.
     */
    String key() default "";

    /** The name of a bean of type {@link dev.jono.Codec} for the payloads. By default JSON, with the factory's codecs. */
    String codec() default "";

    /** The name of a bean of type {@link JonoListenerErrorHandler}. */
    String errorHandler() default "";

    /** The name of the bean that makes the container; {@code jonoListenerContainerFactory} by default. */
    String containerFactory() default "";

    /** Whether the listener starts with the application: {@code true} or {@code false}. */
    String autoStartup() default "";
}
