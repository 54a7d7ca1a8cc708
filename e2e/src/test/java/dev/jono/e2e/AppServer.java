package dev.jono.e2e;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.WeakReference;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A process of {@link ClosedFactoryTest}: a server that provides the drivers, and runs an application that contains
 * Jono ({@link Visit}) in a class loader of its own. It reports what the application leaves behind.
 */
final class AppServer {
    private static final Duration SOON = Duration.ofSeconds(10);

    private static final Pattern CLASS_PATH = Pattern.compile(File.pathSeparator, Pattern.LITERAL);

    private static final ClassLoader DRIVERS =
            new URLClassLoader(classPath(false), ClassLoader.getPlatformClassLoader());

    private AppServer() {}

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        run(url); // drivers keep some objects of their first user for ever, such as a thread or a stack trace
        long sockets = sockets();
        WeakReference<ClassLoader> application = run(url);
        become(() -> threads().isEmpty()); // an idle thread is about to end
        say("threads " + threads());
        say("sockets " + (sockets() - sockets));
        say(become(() -> collected(application)) ? "collected" : "kept");
    }

    private static WeakReference<ClassLoader> run(String url) throws Exception {
        Thread here = Thread.currentThread();
        ClassLoader before = here.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(classPath(true), DRIVERS)) {
            here.setContextClassLoader(loader);
            Class<?> visit = loader.loadClass(Visit.class.getName());
            if (visit.equals(Visit.class)) {
                throw new IllegalStateException("the application is the server's own class");
            }
            ((Runnable) visit.getConstructor(String.class).newInstance(url)).run();
            return new WeakReference<>(loader);
        } finally {
            here.setContextClassLoader(before);
        }
    }

    /** The part of the class path that belongs to Jono, or the rest. */
    private static URL[] classPath(boolean ours) {
        List<URL> urls = new ArrayList<>();
        for (String entry : CLASS_PATH.split(System.getProperty("java.class.path"), -1)) {
            Path path = Path.of(entry);
            boolean jono =
                    Files.isDirectory(path) || path.getFileName().toString().startsWith("jono-");
            if (jono == ours) {
                try {
                    urls.add(path.toUri().toURL());
                } catch (MalformedURLException impossible) {
                    throw new IllegalStateException(impossible);
                }
            }
        }
        return urls.toArray(URL[]::new);
    }

    private static Set<String> threads() {
        Set<String> names = new TreeSet<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("jono-") || thread.getName().startsWith("lettuce-")) {
                names.add(thread.getName());
            }
        }
        return names;
    }

    /** The open sockets of this process, if the system shows them. */
    private static long sockets() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        if (!Files.isDirectory(descriptors)) {
            return 0;
        }
        try (Stream<Path> open = Files.list(descriptors)) {
            return open.filter(AppServer::isSocket).count();
        }
    }

    private static boolean isSocket(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
        } catch (NoSuchFileException gone) {
            return false;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static boolean become(Callable<Boolean> condition) {
        try {
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(50))
                    .atMost(SOON)
                    .until(condition);
            return true;
        } catch (ConditionTimeoutException stillNot) {
            return false;
        }
    }

    private static boolean collected(WeakReference<ClassLoader> application) {
        System.gc();
        return application.get() == null;
    }

    @SuppressWarnings("SystemOut") // the test reads it
    private static void say(String line) {
        System.out.println(line);
    }
}
