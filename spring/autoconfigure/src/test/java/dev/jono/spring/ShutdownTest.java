package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.Reservation;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.spring.listener.ListenerContainer;
import dev.jono.spring.listener.ListenerContainerRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;

/** How listeners and runners stop with the application. All contexts of a test share a storage. */
class ShutdownTest {
    private static final Duration NOW = Duration.ZERO;

    private static ApplicationContextRunner context(String storage) {
        return Contexts.empty().withPropertyValues("jono.url=memory:" + storage);
    }

    static class Slow {
        final CountDownLatch begun = new CountDownLatch(2);
        final CountDownLatch end = new CountDownLatch(1);
        final AtomicInteger interrupted = new AtomicInteger();

        @JonoListener("slow")
        void message(String message) throws InterruptedException {
            waitForEnd();
        }

        @JonoJob("slow")
        void job(String payload) throws InterruptedException {
            waitForEnd();
        }

        private void waitForEnd() throws InterruptedException {
            begun.countDown();
            try {
                end.await();
            } catch (InterruptedException atShutdown) {
                interrupted.incrementAndGet();
                throw atShutdown;
            }
        }
    }

    @Test
    void slowHandlersAreInterruptedInTimeAndTheirMessagesGivenBackUncounted() {
        try (QueueFactory outside = QueueFactory.connect("memory:shutdown-slow")) {
            MessageQueue<String> queue = outside.queue("slow", String.class);
            JobType<String, Void> type = JobType.of("slow", String.class);
            String[] id = new String[1];
            long[] began = new long[1];
            Slow[] slow = new Slow[1];
            context("shutdown-slow")
                    .withPropertyValues("spring.lifecycle.timeout-per-shutdown-phase=1200ms")
                    .withBean(Slow.class)
                    .run(context -> {
                        slow[0] = context.getBean(Slow.class);
                        queue.push("a");
                        id[0] = Jobs.on(outside).enqueue(type, "b").id();
                        slow[0].begun.await();
                        began[0] = System.nanoTime();
                    });
            assertThat(Duration.ofNanos(System.nanoTime() - began[0]))
                    .isBetween(Duration.ofMillis(900), Duration.ofMillis(2500));
            assertThat(slow[0].interrupted).hasValue(2);
            Reservation<String> again = queue.reserve(NOW).orElseThrow();
            assertThat(again.tries()).isZero();
            assertThat(Jobs.on(outside).get(id[0]).orElseThrow().attempts()).isEmpty();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Like a web server: its requests end after the listeners, and can still push. */
    static class Drain implements SmartLifecycle {
        private final ApplicationContext context;
        final AtomicBoolean running = new AtomicBoolean();
        volatile boolean pushedAfterListeners;

        /** It must not depend on the registry: Spring stops a bean after those that depend on it. */
        Drain(ApplicationContext context) {
            this.context = context;
        }

        @Override
        public void start() {
            running.set(true);
        }

        @Override
        public void stop() {
            context.getBean(QueueFactory.class).queue("late", String.class).push("from the last request");
            pushedAfterListeners =
                    !context.getBean(ListenerContainerRegistry.class).isRunning();
            running.set(false);
        }

        @Override
        public boolean isRunning() {
            return running.get();
        }

        /** The phase in which Spring Boot's web servers wait for their requests. */
        @Override
        public int getPhase() {
            return DEFAULT_PHASE - 1024;
        }
    }

    @Test
    void requestsThatEndAfterTheListenersCanStillPush() {
        try (QueueFactory outside = QueueFactory.connect("memory:shutdown-late")) {
            Drain[] drain = new Drain[1];
            context("shutdown-late").withBean(Drain.class).run(context -> drain[0] = context.getBean(Drain.class));
            assertThat(drain[0].pushedAfterListeners).isTrue();
            assertThat(outside.queue("late", String.class).size()).isOne();
        }
    }

    static class Fast {
        final AtomicInteger handled = new AtomicInteger();

        @JonoListener("fast")
        void message(String message) {
            handled.incrementAndGet();
        }
    }

    @Test
    void aContextThatIsStoppedCanBeStartedAgain() {
        context("shutdown-restart").withBean(Fast.class).run(context -> {
            ConfigurableApplicationContext stoppable = context.getSourceApplicationContext();
            MessageQueue<String> queue = context.getBean(QueueFactory.class).queue("fast", String.class);
            ListenerContainer container = context.getBean(ListenerContainerRegistry.class)
                    .containers()
                    .iterator()
                    .next();
            stoppable.stop();
            assertThat(container.isRunning()).isFalse();
            queue.push("a");
            assertThat(queue.size()).isOne();
            stoppable.start();
            await().atMost(Contexts.SOON).until(() -> queue.totalSize() == 0);
            assertThat(context.getBean(Fast.class).handled).hasValue(1);
        });
    }

    @Test
    void listenersCanStayOff() {
        context("shutdown-off")
                .withPropertyValues("jono.worker.enabled=false")
                .withBean(Fast.class)
                .run(context -> {
                    assertThat(context.getBean(ListenerContainerRegistry.class).containers())
                            .noneMatch(ListenerContainer::isRunning);
                });
    }
}
