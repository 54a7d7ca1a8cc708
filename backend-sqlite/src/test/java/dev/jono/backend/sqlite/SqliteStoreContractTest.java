package dev.jono.backend.sqlite;

import dev.jono.Capability;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.JdbcTransactions;
import dev.jono.testkit.StoreContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.stream.Stream;

class SqliteStoreContractTest extends StoreContract {
    @Override
    protected ContractSetup open() {
        return fresh();
    }

    /** A new file in its own directory, which is deleted when the setup is closed. */
    static ContractSetup fresh() {
        try {
            Path directory = Files.createTempDirectory("jono-sqlite");
            Path file = directory.resolve("queues.db");
            return ContractSetup.builder("sqlite:" + file)
                    .transactions(new JdbcTransactions("jdbc:sqlite:" + file, SqliteTx::of))
                    .declares(EnumSet.allOf(Capability.class))
                    .settable()
                    .onClose(() -> delete(directory))
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path directory) {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
