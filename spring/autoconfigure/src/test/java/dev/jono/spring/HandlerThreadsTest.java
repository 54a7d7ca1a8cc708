package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.QueueFactory;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** On which threads listeners run. */
@EnabledForJreRange(min = JRE.JAVA_21)
class HandlerThreadsTest {
    static class Listener {
        final BlockingQueue<String> threads = new LinkedBlockingQueue<>();

        @JonoListener("orders")
        void order(String order) {
            threads.add(String.valueOf(Thread.currentThread()));
        }
    }

    private static void assertThread(ApplicationContextRunner runner, String expected) {
        runner.withBean(Listener.class).run(context -> {
            context.getBean(QueueFactory.class).queue("orders", String.class).push("a");
            assertThat(context.getBean(Listener.class).threads.poll(10, TimeUnit.SECONDS))
                    .contains(expected);
        });
    }

    @Test
    void virtualThreadsWhereTheApplicationEnablesThem() {
        assertThread(Contexts.inMemory().withPropertyValues("spring.threads.virtual.enabled=true"), "VirtualThread");
    }

    @Test
    void platformThreadsOtherwise() {
        assertThread(Contexts.inMemory(), ",jono-");
    }

    @Test
    void theTaskExecutorOfTheApplicationStays() {
        Contexts.inMemory()
                .withConfiguration(AutoConfigurations.of(TaskExecutionAutoConfiguration.class))
                .run(context -> assertThat(context).hasSingleBean(Executor.class));
    }
}
