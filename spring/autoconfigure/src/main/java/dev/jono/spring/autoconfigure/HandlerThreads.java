package dev.jono.spring.autoconfigure;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The threads of handlers. With {@code spring.threads.virtual.enabled}, on Java 21 and newer, they are virtual threads, which is
 * what Jono does by itself; otherwise platform threads that are started as needed. It is no bean of type {@link Executor}, because
 * the application's own task executor would back off then.
 */
final class HandlerThreads implements DisposableBean {
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    private final @Nullable ExecutorService platform;

    private HandlerThreads(@Nullable ExecutorService platform) {
        this.platform = platform;
    }

    static HandlerThreads of(Environment environment) {
        boolean virtual = environment.getProperty("spring.threads.virtual.enabled", Boolean.class, false);
        if (virtual || Runtime.version().feature() < FIRST_WITH_VIRTUAL_THREADS) {
            return new HandlerThreads(null);
        }
        CustomizableThreadFactory threads = new CustomizableThreadFactory("jono-");
        threads.setDaemon(true);
        return new HandlerThreads(Executors.newCachedThreadPool(threads));
    }

    /** The executor for the factory; empty for Jono's own. */
    Optional<Executor> executor() {
        return Optional.ofNullable(platform);
    }

    /** Called after the factory was closed. */
    @Override
    public void destroy() {
        if (platform != null) {
            platform.shutdown();
        }
    }
}
