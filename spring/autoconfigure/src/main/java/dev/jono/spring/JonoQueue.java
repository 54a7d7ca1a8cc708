package dev.jono.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Injects a queue by its name. The type argument of the injection point is the type of the payloads:
 *
 * <pre>{@code
 * Checkout(@JonoQueue("orders") MessageQueue<Order> orders) {
 *     this.orders = orders;
 * }
 * }</pre>
 *
 * <p>The queue has the options of {@code jono.queues.<name>.*}. Each injection point gets a queue object of its own. If the
 * application defines a bean with this name, or one that has this annotation with the same name, that bean is injected.
 */
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier(JonoQueue.BEAN_NAME) public @interface JonoQueue {
    /** The name of the bean that makes the queues. */
    String BEAN_NAME = "jonoMessageQueue";

    /** The name of the queue; can contain placeholders such as {@code ${shop.queue}}. */
    String value();
}
