package dev.jono.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The extension without {@code jono-jobs} on the class path. */
class WithoutJobsTest {
    @JonoTest
    static class Plain {
        @Test
        void passes(QueueFactory jono, JonoTester tester) {
            MessageQueue<String> orders = jono.queue("orders", Codec.string());
            jono.worker().from(orders, (order, delivery) -> {}).start();
            orders.push("skates");
            tester.awaitIdle();
            JonoAssertions.assertThat(orders).hasPushedOnly("skates");
        }
    }

    private static URL[] classPathWithoutJobs() throws Exception {
        List<URL> urls = new ArrayList<>();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String entry : classPath.split(Pattern.quote(File.pathSeparator), -1)) {
            if (!entry.contains("jono-jobs") && !entry.contains(File.separator + "jobs" + File.separator)) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return urls.toArray(URL[]::new);
    }

    @Test
    void testsOfQueuesNeedNoJobs() throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(classPathWithoutJobs(), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            assertThatThrownBy(() -> loader.loadClass("dev.jono.jobs.Jobs")).isInstanceOf(ClassNotFoundException.class);
            Object results = loader.loadClass(Samples.class.getName())
                    .getMethod("run", Class.class, String[].class)
                    .invoke(null, loader.loadClass(Plain.class.getName()), new String[0]);
            assertThat(results).isEqualTo(List.of("passes(QueueFactory, JonoTester) SUCCESSFUL"));
            for (Class<?> type : List.of(JonoExtension.class, JonoTester.class, JonoAssertions.class, JonoTest.class)) {
                assertThat(loader.loadClass(type.getName()).getMethods()).isNotEmpty();
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
