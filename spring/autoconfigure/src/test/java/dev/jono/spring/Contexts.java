package dev.jono.spring;

import dev.jono.spring.autoconfigure.JonoAutoConfiguration;
import dev.jono.spring.autoconfigure.JonoJobsAutoConfiguration;
import dev.jono.spring.autoconfigure.JonoListenerAutoConfiguration;
import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Application contexts with the auto-configuration. */
final class Contexts {
    /** How long a test waits for what comes soon. */
    static final Duration SOON = Duration.ofSeconds(10);

    private Contexts() {}

    /** A context without a storage. */
    static ApplicationContextRunner empty() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        JonoAutoConfiguration.class,
                        JonoJobsAutoConfiguration.class,
                        JonoListenerAutoConfiguration.class,
                        LifecycleAutoConfiguration.class));
    }

    /** A context with queues in memory. */
    static ApplicationContextRunner inMemory() {
        return empty().withPropertyValues("jono.url=memory:");
    }
}
