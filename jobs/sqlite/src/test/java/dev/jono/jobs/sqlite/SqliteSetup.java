package dev.jono.jobs.sqlite;

import dev.jono.Capability;
import dev.jono.backend.sqlite.SqliteTx;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JdbcTransactions;
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
            Path file = folder.resolve("queues.db");
            return ContractSetup.builder("sqlite:" + file)
                    .transactions(new JdbcTransactions("jdbc:sqlite:" + file, SqliteTx::of))
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
