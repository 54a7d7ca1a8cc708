package dev.jono.testkit;

import static dev.jono.testkit.StoreCase.got;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.spi.JobStore;
import dev.jono.jobs.spi.StoredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The log of events, and the announcements of its readers. */
abstract class JobStoreEventRules extends JobStoreCase {
    private static final long HOUR = Duration.ofHours(1).toMillis();

    JobStoreEventRules(Supplier<ContractSetup> opener, UnaryOperator<JobStore> wrapper) {
        super(opener, wrapper);
    }

    private boolean append(String writer, String... events) {
        return got(store().appendEvents(writer, List.of(events)));
    }

    private List<String> all(JobStore store) {
        return all(store, "", 1000);
    }

    /** Reads all events after a position, in pages. */
    private static List<String> all(JobStore store, String after, int max) {
        List<String> documents = new ArrayList<>();
        String position = after;
        for (List<StoredEvent> page = got(store.events(position, max));
                !page.isEmpty();
                page = got(store.events(position, max))) {
            assertThat(page).hasSizeLessThanOrEqualTo(max);
            page.forEach(event -> documents.add(event.document()));
            position = page.get(page.size() - 1).position();
        }
        return documents;
    }

    @Test
    void withoutAReaderNoEventIsStored() {
        assertThat(append("a", "1")).isFalse();
        assertThat(got(store().listenToEvents("a", HOUR))).isNotNull();
        assertThat(append("a", "2")).as("it is its own reader").isFalse();
        assertThat(all(store())).isEmpty();
        assertThat(append("b", "3")).isTrue();
        assertThat(all(store())).containsExactly("3");
    }

    @Test
    void emptyAppendOnlyLooksForReaders() {
        assertThat(append("a")).isFalse();
        got(store(client()).listenToEvents("b", HOUR));
        assertThat(append("a")).isTrue();
        assertThat(append("b")).isFalse();
        assertThat(all(store())).isEmpty();
    }

    @Test
    void eventsComeInTheirOrderAndAsTheyAre() {
        String odd = "{\"text\":\"ä€ \\\"quoted\\\" \\n $a\"}";
        JobStore reader = store(client());
        String begin = got(reader.listenToEvents("r", HOUR));
        append("a", "1", odd, "3");
        append("b", "4");
        append("a", "5");
        assertThat(all(reader, begin, 1000)).containsExactly("1", odd, "3", "4", "5");
        assertThat(all(reader, begin, 2)).containsExactly("1", odd, "3", "4", "5");
        assertThat(all(store())).as("of another client").containsExactly("1", odd, "3", "4", "5");
    }

    @Test
    void readerBeginsAtTheEndOfTheLog() {
        got(store().listenToEvents("r", HOUR));
        append("a", "1", "2");
        String begin = got(store(client()).listenToEvents("later", HOUR));
        assertThat(all(store(), begin, 10)).isEmpty();
        append("a", "3");
        assertThat(all(store(), begin, 10)).containsExactly("3");
    }

    @Test
    void announcementEndsWithItsLease() {
        long lease = seconds(4).toMillis();
        got(store().listenToEvents("r", lease));
        pass(seconds(2));
        assertThat(append("a", "1")).isTrue();
        got(store().listenToEvents("r", lease));
        pass(seconds(3));
        assertThat(append("a", "2")).as("renewed").isTrue();
        pass(seconds(2));
        assertThat(append("a", "3")).isFalse();
        assertThat(all(store())).containsExactly("1", "2");
    }

    @Test
    void readerCanEndItsAnnouncement() {
        got(store().listenToEvents("r", HOUR));
        got(store().listenToEvents("s", HOUR));
        got(store(client()).listenToEvents("r", 0));
        assertThat(append("s", "1")).isFalse();
        assertThat(append("r", "2")).as("the other one still reads").isTrue();
        got(store().listenToEvents("s", 0));
        assertThat(append("r", "3")).isFalse();
    }

    @Test
    void logKeepsTheLastTenThousandEventsOrSo() {
        String begin = got(store().listenToEvents("r", HOUR));
        append("a", "first");
        String position = got(store().events(begin, 1)).get(0).position();
        int count = 12_000;
        for (int from = 0; from < count; from += 500) {
            List<String> some = IntStream.range(from, from + 500)
                    .mapToObj(i -> "event " + i)
                    .toList();
            assertThat(got(store().appendEvents("a", some))).isTrue();
        }
        List<String> kept = all(store(), position, 1000);
        assertThat(kept).hasSizeBetween(9_000, 11_000).doesNotHaveDuplicates();
        assertThat(kept)
                .isEqualTo(IntStream.range(count - kept.size(), count)
                        .mapToObj(i -> "event " + i)
                        .toList());
        assertThat(all(store(), "", 5000)).isEqualTo(kept);
    }

    /** A reader that follows the log sees what is in it, although writers append at the same time. */
    @Test
    void eventsOfCompetingWritersAreNotMissed() {
        int rounds = 25;
        String begin = got(store().listenToEvents("r", HOUR));
        List<CompletableFuture<String>> writers = new ArrayList<>();
        for (String writer : List.of("a", "b", "c")) {
            JobStore own = store(client());
            writers.add(inBackground(() -> {
                for (int round = 0; round < rounds; round++) {
                    got(own.appendEvents(writer, List.of(writer + round + ".1", writer + round + ".2")));
                }
                return writer;
            }));
        }
        List<String> followed = new ArrayList<>();
        String[] position = {begin};
        awaitReal("all events", () -> {
            got(store().events(position[0], 7)).forEach(event -> {
                followed.add(event.document());
                position[0] = event.position();
            });
            return followed.size() >= 3 * 2 * rounds;
        });
        writers.forEach(CompletableFuture::join);
        assertThat(followed).doesNotHaveDuplicates().isEqualTo(all(store()));
        for (String writer : List.of("a", "b", "c")) {
            assertThat(followed.stream().filter(event -> event.startsWith(writer)))
                    .isEqualTo(IntStream.range(0, rounds)
                            .boxed()
                            .flatMap(round -> List.of(writer + round + ".1", writer + round + ".2").stream())
                            .toList());
        }
    }

    @Test
    void largeEventsAreStored() {
        String large = "x".repeat(64 * 1024);
        got(store().listenToEvents("r", HOUR));
        assertThat(append("a", large, "small")).isTrue();
        assertThat(all(store())).containsExactly(large, "small");
    }
}
