package dev.jono.test;

import dev.jono.QueueFactory;
import dev.jono.QueueFactoryBuilder;
import dev.jono.testkit.SettableClock;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/**
 * The extension of {@link JonoTest}. Register it in a field to change the settings of the factory:
 *
 * <pre>{@code
 * class CheckoutTest {
 *     @RegisterExtension
 *     static final JonoExtension JONO = JonoExtension.create()
 *             .configure(factory -> factory.queueDefaults(QueueOptions.builder().keyed().build()));
 * }
 * }</pre>
 *
 * <p>Immutable: each setter returns a changed copy. All state of a test is in JUnit's store for that test, so tests can run in parallel.
 */
public final class JonoExtension implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(JonoExtension.class);
    private static final String URL_PROPERTY = "jono.test.url";

    /** Named by text, because {@code jono-jobs} is optional. */
    private static final String JOBS = "dev.jono.jobs.Jobs";

    private final @Nullable Supplier<String> url;
    private final @Nullable Boolean failOnDeadLetters;
    private final UnaryOperator<QueueFactoryBuilder> settings;

    /** For JUnit; in a field use {@link #create}. */
    public JonoExtension() {
        this(null, null, UnaryOperator.identity());
    }

    private JonoExtension(
            @Nullable Supplier<String> url,
            @Nullable Boolean failOnDeadLetters,
            UnaryOperator<QueueFactoryBuilder> settings) {
        this.url = url;
        this.failOnDeadLetters = failOnDeadLetters;
        this.settings = settings;
    }

    /** An extension with the defaults of {@link JonoTest}. */
    public static JonoExtension create() {
        return new JonoExtension();
    }

    /** Sets the URL of the storage; see {@link JonoTest#url()}. */
    public JonoExtension url(String value) {
        Objects.requireNonNull(value, "url");
        return url(() -> value);
    }

    /**
     * Sets the URL of the storage, for a server whose address is known only when the tests run.
     *
     * @param value called before each test; if it throws {@link org.opentest4j.TestAbortedException}, the test is skipped
     */
    public JonoExtension url(Supplier<String> value) {
        return new JonoExtension(Objects.requireNonNull(value, "url"), failOnDeadLetters, settings);
    }

    /** A test can leave dead letters in the storage. */
    public JonoExtension allowDeadLetters() {
        return new JonoExtension(url, false, settings);
    }

    /**
     * Changes the settings of each factory before it connects. Called again for a second change; both apply, in this order.
     *
     * @param change for example {@code factory -> factory.interceptor(new Audit())}
     */
    public JonoExtension configure(UnaryOperator<QueueFactoryBuilder> change) {
        Objects.requireNonNull(change, "change");
        return new JonoExtension(url, failOnDeadLetters, builder -> change.apply(settings.apply(builder)));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Optional<JonoTest> annotation = annotation(context);
        TestStorage storage = TestStorage.of(
                url != null
                        ? url.get()
                        : annotation
                                .map(JonoTest::url)
                                .filter(text -> !text.isEmpty())
                                .or(() -> context.getConfigurationParameter(URL_PROPERTY))
                                .orElse("memory:"));
        if (!storage.hasSettableClock() && wantsClock(context)) {
            storage.deleteFolder();
            throw JonoTester.noClock(storage.backend());
        }
        boolean fails = failOnDeadLetters != null
                ? failOnDeadLetters
                : annotation.map(JonoTest::failOnDeadLetters).orElse(true);
        context.getStore(NAMESPACE).put(TestSession.class, TestSession.open(storage, fails, settings));
    }

    /** Whether the method of the test, or one that runs before it, has the clock as a parameter. JUnit skips no test for a parameter. */
    private static boolean wantsClock(ExtensionContext context) {
        Stream<Method> methods = Stream.concat(
                Stream.of(context.getRequiredTestMethod()),
                AnnotationSupport.findAnnotatedMethods(
                        context.getRequiredTestClass(), BeforeEach.class, HierarchyTraversalMode.TOP_DOWN)
                        .stream());
        return methods.anyMatch(method -> List.of(method.getParameterTypes()).contains(SettableClock.class));
    }

    /** The annotation of the method, of its class, or of an enclosing class of nested tests. */
    private static Optional<JonoTest> annotation(ExtensionContext context) {
        Optional<ExtensionContext> each = Optional.of(context);
        while (each.isPresent()) {
            Optional<JonoTest> found =
                    each.get().getElement().flatMap(e -> AnnotationSupport.findAnnotation(e, JonoTest.class));
            if (found.isPresent()) {
                return found;
            }
            each = each.get().getParent();
        }
        return Optional.empty();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TestSession session = context.getStore(NAMESPACE).remove(TestSession.class, TestSession.class);
        if (session != null) {
            session.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == QueueFactory.class
                || type == JonoTester.class
                || type == SettableClock.class
                || type.getName().equals(JOBS);
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        TestSession session = context.getStore(NAMESPACE).get(TestSession.class, TestSession.class);
        if (session == null) {
            throw new ParameterResolutionException("a " + type.getSimpleName() + " exists for one test: take it as a"
                    + " parameter of a test method, or of a method with @BeforeEach or @AfterEach");
        }
        if (type == QueueFactory.class) {
            return session.tester().factory();
        }
        if (type == SettableClock.class) {
            return session.tester().clock();
        }
        return type == JonoTester.class ? session.tester() : session.jobs();
    }
}
