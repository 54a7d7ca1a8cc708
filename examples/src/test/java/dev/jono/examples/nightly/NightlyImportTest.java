package dev.jono.examples.nightly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.jono.Backoff;
import dev.jono.jobs.BatchView;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NightlyImportTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final ZoneId ZONE = ZoneOffset.UTC;

    @TempDir
    Path directory;

    private final List<NightlyImport> opened = new ArrayList<>();
    private final List<String> loaded = new CopyOnWriteArrayList<>();
    private final List<String> published = new CopyOnWriteArrayList<>();
    private final List<String> reported = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();

    @AfterEach
    void end() {
        opened.forEach(NightlyImport::close);
    }

    private NightlyImport nightly() {
        NightlyImport nightly = new NightlyImport(
                "sqlite:" + directory.resolve("import.db"), ZONE, Backoff.fixed(Duration.ofMillis(20)));
        opened.add(0, nightly);
        return nightly;
    }

    /** A catalogue that fails to load {@code bad} as often as {@code failures} says. */
    private final class Recorded implements Catalogue {
        @Override
        public List<String> files(String night) {
            return List.of("chairs", "bad", "tables", "lamps");
        }

        @Override
        public void load(String night, String file) {
            if (file.equals("bad") && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("the file is not complete yet");
            }
            loaded.add(night + ' ' + file);
        }

        @Override
        public void publish(String night) {
            published.add(night);
        }

        @Override
        public void report(String night) {
            reported.add(night);
        }
    }

    @Test
    void catalogueIsPublishedOnceWhenAllFilesAreLoaded() {
        failures.set(2);
        NightlyImport nightly = nightly();
        nightly.start(2, new Recorded());
        nightly().start(2, new Recorded());
        nightly.importNow("2026-11-27");
        nightly.importNow("2026-11-27");
        await().atMost(SOON).until(() -> published.contains("2026-11-27"));
        assertThat(loaded).containsOnly("2026-11-27 chairs", "2026-11-27 bad", "2026-11-27 tables", "2026-11-27 lamps");
        assertThat(nightly.find("2026-11-27").orElseThrow().state()).isEqualTo(BatchView.State.SUCCEEDED);
        nightly.importNow("2026-11-28");
        await().atMost(SOON).until(() -> published.contains("2026-11-28"));
        assertThat(published).containsExactly("2026-11-27", "2026-11-28");
        assertThat(reported).isEmpty();
    }

    @Test
    void staffIsToldIfAFileCannotBeLoaded() {
        failures.set(3);
        NightlyImport nightly = nightly();
        nightly.start(4, new Recorded());
        nightly.importNow("2026-11-27");
        await().atMost(SOON).until(() -> reported.contains("2026-11-27"));
        assertThat(published).isEmpty();
        BatchView batch = nightly.find("2026-11-27").orElseThrow();
        assertThat(batch.succeeded()).isEqualTo(3);
        assertThat(batch.failed()).isEqualTo(1);
    }

    @Test
    void importBeginsAtItsTime() {
        NightlyImport nightly = nightly();
        nightly.start(4, new Recorded());
        nightly.schedule("* * * * * *");
        await().atMost(SOON).until(() -> !published.isEmpty());
        assertThat(published.get(0)).startsWith("" + LocalDate.now(ZONE).getYear());
    }
}
