package dev.jono.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** The base of the tests with a queue {@code q} in a file, whose messages have ordering keys. */
abstract class KeyedQueueCase {
    @TempDir
    Path directory;

    final String url() {
        return "sqlite:" + directory.resolve("q.db");
    }

    /** Pushes under an ordering key, and returns the ids. */
    final List<String> push(String key, Object... payloads) {
        return Jono.run(Stream.concat(
                                Stream.of("push", url(), "q", "--keyed", "--key", key, "--ids"),
                                Stream.of(payloads).map(Object::toString))
                        .toArray(String[]::new))
                .ended(Exit.DONE)
                .json()
                .stream()
                .map(line -> line.get("id").textValue())
                .toList();
    }

    final JsonNode info() {
        return Jono.run("info", url(), "q").ended(Exit.DONE).one();
    }
}
