package dev.jono.internal;

import dev.jono.Capability;
import dev.jono.ConfigurationException;
import dev.jono.DeadLetter;
import dev.jono.QueueOptions;
import dev.jono.UnsupportedCapabilityException;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.spi.QueueSpec;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks the queue options of a factory: those of all queues, and those of names. Called by {@link Engine} on the thread that
 * connects, with no lock held. It must not open a queue object, because the first one of a name sets the poll interval.
 */
final class OptionsCheck {
    private final EngineContext context;
    private final Connections connections;
    private final Consumer<String> names;

    /**
     * A check.
     *
     * @param names refuses what is no name of a queue, with IllegalArgumentException
     */
    OptionsCheck(EngineContext context, Connections connections, Consumer<String> names) {
        this.context = context;
        this.connections = connections;
        this.names = names;
    }

    /**
     * Checks the options of a factory.
     *
     * @throws ConfigurationException if no queue can be opened with one of them
     */
    void check(FactoryConfig config) {
        check(FactoryImpl.ALL_QUEUES, DeadLetter.DEFAULT_QUEUE, config.queueDefaults());
        config.queueOptions().forEach((name, options) -> {
            option("name", name, name, names);
            check(name, name, options);
        });
    }

    private void check(String queue, String name, QueueOptions options) {
        DeadLetter deadLetter = options.deadLetter();
        option("deadLetter", queue, deadLetter == null ? null : deadLetter.queue(), names);
        option("keyed", queue, options.keyed(), limit -> context.require(Capability.KEYED, "keyed", queue));
        option("pipeline", queue, options.pipeline(), pipeline -> {
            requirePipelines(context, pipeline);
            context.backend.queue(
                    QueueSpec.builder().name(name).pipeline(pipeline).build());
        });
        option("signaller", queue, options.signaller(), connections::signals);
        option("stats", queue, options.stats(), connections::stats);
    }

    static void requirePipelines(EngineContext context, String pipeline) {
        if (context.backend.defaultPipeline() == null) {
            throw new IllegalArgumentException("'" + pipeline + "' is a pipeline, but the backend "
                    + context.backendType + " does not separate pipelines; leave the option out, or use pl-mongo");
        }
    }

    /**
     * Checks the value of an option, if it is set.
     *
     * @throws ConfigurationException if {@code check} refuses the value; it names the option and the queue
     */
    static <T> void option(String option, @Nullable String queue, @Nullable T value, Consumer<T> check) {
        if (value == null) {
            return;
        }
        try {
            check.accept(value);
        } catch (IllegalArgumentException | ConfigurationException | UnsupportedCapabilityException refused) {
            throw new ConfigurationException(option, queue, refused);
        }
    }
}
