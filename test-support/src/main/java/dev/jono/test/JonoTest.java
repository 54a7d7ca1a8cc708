package dev.jono.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test of a class a factory of its own. Test methods and methods with {@code @BeforeEach} or {@code @AfterEach} get the factory
 * as a parameter of type {@link dev.jono.QueueFactory}. Parameters can also be {@link JonoTester}, {@link
 * dev.jono.testkit.SettableClock} and {@code dev.jono.jobs.Jobs}. After the test, the factory is closed, and the test fails if dead letters
 * are left.
 *
 * <pre>{@code
 * @JonoTest
 * class CheckoutTest {
 *     @Test
 *     void aPurchaseIsPushed(QueueFactory jono) {
 *         MessageQueue<Order> orders = jono.queue("orders", Order.class);
 *         new Checkout(orders).buy(1, "skates");
 *         assertThat(orders).hasPushed(new Order(1, "skates"));
 *     }
 * }
 * }</pre>
 *
 * <p>{@link JonoExtension} offers more settings.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(JonoExtension.class)
public @interface JonoTest {
    /**
     * The URL of the storage, as for {@link dev.jono.QueueFactory#connect}. If it is empty, the value of the JUnit configuration parameter
     * or system property {@code jono.test.url} is used, and {@code memory:} if there is none.
     *
     * <p>In the URL, <code>{id}</code> stands for a text that is different for each test: 12 lower-case letters and digits, the first of them
     * a letter. <code>{dir}</code> stands for a folder that is created for the test and deleted after it: {@code
     * sqlite:{dir}/queues.db}.
     *
     * <p>A test on a storage that already has queues fails before it begins, and changes nothing. After a test all its queues are deleted.
     */
    String url() default "";

    /** Whether a test fails if it leaves dead letters in the storage. */
    boolean failOnDeadLetters() default true;
}
