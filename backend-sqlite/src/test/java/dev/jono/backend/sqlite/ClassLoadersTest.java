package dev.jono.backend.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jono in the class loader of an application, as in a web container or a fat jar, called by threads with other context
 * class loaders.
 */
class ClassLoadersTest {
    /** The application, loaded by its own class loader. */
    public static final class Application implements Supplier<String> {
        private final String url;

        /** With the URL of its queues. */
        public Application(String url) {
            this.url = url;
        }

        @Override
        public String get() {
            try (QueueFactory jono = QueueFactory.connect(url)) {
                MessageQueue<String> queue = jono.queue("orders", Codec.string());
                queue.push("a");
                return queue.popAsync(Duration.ZERO).join().orElseThrow().payload();
            } catch (RuntimeException failure) {
                return String.valueOf(failure.getMessage());
            }
        }
    }

    private static URL url(String path) {
        try {
            return new File(path).toURI().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    private static URLClassLoader application() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        URL[] urls = Arrays.stream(path.split(File.pathSeparator))
                .map(ClassLoadersTest::url)
                .toArray(URL[]::new);
        return new URLClassLoader("application", urls, ClassLoader.getPlatformClassLoader());
    }

    @SuppressWarnings("unchecked") // Supplier is the JDK's in all class loaders
    private static Supplier<String> in(ClassLoader loader, String url) throws ReflectiveOperationException {
        return (Supplier<String>) loader.loadClass(Application.class.getName())
                .getConstructor(String.class)
                .newInstance(url);
    }

    private static String run(Supplier<String> work, @Nullable ClassLoader context) {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(context);
        try {
            return work.get();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    @Test
    void pluginsAreFoundWithAnyContextClassLoader(@TempDir Path folder) throws Exception {
        try (URLClassLoader loader = application()) {
            Supplier<String> work = in(loader, "sqlite:" + folder.resolve("q.db"));
            assertThat(run(work, loader)).as("its own").isEqualTo("a");
            assertThat(run(work, ClassLoader.getPlatformClassLoader()))
                    .as("one that has nothing")
                    .isEqualTo("a");
            assertThat(run(work, null)).as("none").isEqualTo("a");
            assertThat(run(work, ClassLoader.getSystemClassLoader()))
                    .as("one with another copy of Jono")
                    .isEqualTo("a");
            assertThat(CompletableFuture.supplyAsync(work).get())
                    .as("that of the common pool")
                    .isEqualTo("a");
        }
    }

    @Test
    void anErrorNamesTheClassLoadersThatWereSearched() throws Exception {
        try (URLClassLoader loader = application()) {
            assertThat(run(in(loader, "nowhere:x"), ClassLoader.getPlatformClassLoader()))
                    .contains("no backend 'nowhere'")
                    .contains("found: memory, sqlite")
                    .contains("the thread's context (" + ClassLoader.getPlatformClassLoader())
                    .contains("Jono's own (" + loader);
            assertThat(run(in(loader, "nowhere:x"), ClassLoader.getSystemClassLoader()))
                    .contains("not a subtype");
        }
    }
}
