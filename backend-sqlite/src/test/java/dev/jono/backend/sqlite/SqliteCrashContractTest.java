package dev.jono.backend.sqlite;

import dev.jono.Capability;
import dev.jono.testkit.ContractSetup;
import dev.jono.testkit.CrashContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;

class SqliteCrashContractTest extends CrashContract {
    @Override
    protected ContractSetup open() {
        try {
            Path directory = Files.createTempDirectory("jono-sqlite");
            String url = "sqlite:" + directory.resolve("queues.db");
            return ContractSetup.builder(url)
                    .declares(EnumSet.allOf(Capability.class))
                    .realTime(Duration.ofMillis(250))
                    .otherProcessUrl(url)
                    .onClose(() -> SqliteStoreContractTest.delete(directory))
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
