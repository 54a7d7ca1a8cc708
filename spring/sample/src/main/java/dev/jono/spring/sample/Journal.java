package dev.jono.spring.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** What was shipped: a line per order in the file {@code shop.journal}, if it is set, and in the log. */
@Component
class Journal {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    private final @Nullable Path file;

    Journal(@Value("${shop.journal:#{null}}") @Nullable Path file) {
        this.file = file;
    }

    void shipped(int order, String message) {
        LOG.debug("order {} shipped, message {}", order, message);
        if (file != null) {
            append(file, order + "\n");
        }
    }

    void stockTaken(int invoices) {
        LOG.info("{} invoices were written", invoices);
    }

    /** One write call, so that a line is whole or missing. */
    private static void append(Path file, String line) {
        try {
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
