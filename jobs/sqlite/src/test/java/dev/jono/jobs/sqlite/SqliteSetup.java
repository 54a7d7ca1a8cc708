package dev.jono.jobs.sqlite;

import dev.jono.Capability;
import dev.jono.testkit.ContractSetup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.stream.Stream;

/** An empty file for a test. */
final class SqliteSetup {
    private SqliteSetup() {}

    static ContractSetup open() {
        try {
            Path folder = Files.createTempDirectory("jono-jobs").toRealPath();
            return ContractSetup.builder("sqlite:" + folder.resolve("queues.db"))
                    .declares(EnumSet.allOf(Capability.class))
                    .settable()
                    .onClose(() -> delete(folder))
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
