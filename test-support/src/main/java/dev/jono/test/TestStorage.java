package dev.jono.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The storage of one test: its URL, and its folder if the URL asks for one.
 *
 * @param url as for {@link dev.jono.QueueFactory#connect}
 * @param folder the folder; null if the URL names none
 */
record TestStorage(String url, @Nullable Path folder) {
    private static final String ID = "{id}";
    private static final String FOLDER = "{dir}";

    /** The backends that take their time from the clock of the factory. */
    private static final Set<String> CLOCKED = Set.of("memory", "sqlite");

    /** For assertions about consumed messages. */
    private static final String HISTORY = "jono.history";

    private static final String NINE_YEARS = "78840h";

    /** The storage of a URL with placeholders. Where the URL can say so, consumed messages are kept for assertions. */
    static TestStorage of(String template) {
        TestStorage storage = filled(template);
        return storage.hasSettableClock() && !storage.url.contains(HISTORY)
                ? new TestStorage(
                        storage.url + (storage.url.contains("?") ? "&" : "?") + HISTORY + "=" + NINE_YEARS,
                        storage.folder)
                : storage;
    }

    private static TestStorage filled(String template) {
        String url = template.replace(
                ID, "t" + UUID.randomUUID().toString().replace("-", "").substring(0, 11));
        if (!url.contains(FOLDER)) {
            return new TestStorage(url, null);
        }
        try {
            Path folder = Files.createTempDirectory("jono-test");
            return new TestStorage(url.replace(FOLDER, folder.toString()), folder);
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary folder can be created", e);
        }
    }

    /** The backend. */
    String backend() {
        return url.substring(0, Math.max(0, url.indexOf(':')));
    }

    /** Whether a test can set its time. */
    boolean hasSettableClock() {
        return takesTimeOfFactory(backend());
    }

    /** Whether a backend takes its time from the clock of the factory. */
    static boolean takesTimeOfFactory(String backend) {
        return CLOCKED.contains(backend);
    }

    /** Whether it ends with the factory. */
    boolean isOfOneFactory() {
        return url.equals("memory:") || url.startsWith("memory:?");
    }

    /** Deletes the folder. */
    void deleteFolder() {
        if (folder == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the folder of a test cannot be deleted", e);
        }
    }
}
