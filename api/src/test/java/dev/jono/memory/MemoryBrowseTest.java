package dev.jono.memory;

import static dev.jono.memory.TestQueue.texts;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jono.StorageException;
import dev.jono.spi.Backend;
import dev.jono.spi.BrowseRequest;
import dev.jono.spi.BrowseRequest.View;
import dev.jono.spi.Due;
import dev.jono.spi.HandClock;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.StoredMessage;
import dev.jono.spi.StoredMessage.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryBrowseTest {
    private final HandClock clock = new HandClock();
    private final Backend backend = TestQueue.open("memory:?jono.history=10s", clock);
    private final TestQueue queue = TestQueue.of(backend, "q");

    private List<String> pages(View view, int limit, Consumer<StoredMessage> afterEachPage) {
        List<String> seen = new ArrayList<>();
        @Nullable String cursor = null;
        while (true) {
            List<StoredMessage> page =
                    queue.browse(BrowseRequest.builder().view(view).limit(limit).after(cursor));
            if (page.isEmpty()) {
                return seen;
            }
            assertThat(page).hasSizeLessThanOrEqualTo(limit);
            seen.addAll(texts(page));
            StoredMessage last = page.get(page.size() - 1);
            cursor = last.cursor();
            afterEachPage.accept(last);
        }
    }

    @Test
    void showsAllStatesInTheOrderOfDueTimes() {
        queue.push("held", "ready");
        queue.push("later", Due.in(1000));
        queue.push("early", Due.atMillis(7));
        queue.claim(2);
        List<StoredMessage> shown = queue.browse(BrowseRequest.builder());
        assertThat(texts(shown)).containsExactly("early", "held", "ready", "later");
        assertThat(shown)
                .extracting(StoredMessage::state)
                .containsExactly(State.RESERVED, State.RESERVED, State.READY, State.SCHEDULED);
        assertThat(shown.get(1).leaseEndMillis()).isEqualTo(clock.wallMillis() + TestQueue.LEASE_MILLIS);
        assertThat(shown.get(2).leaseEndMillis()).isZero();
        assertThat(shown).allSatisfy(m -> assertThat(m.receipt()).isNull());
    }

    @Test
    void pagesThroughEverythingOnce() {
        String[] all = IntStream.range(0, 57).mapToObj(i -> "m" + i).toArray(String[]::new);
        queue.push(all);
        queue.claim(20);
        assertThat(pages(View.LIVE, 10, last -> {})).containsExactly(all);
    }

    @Test
    void continuesAfterACursorWhoseMessageIsGoneOrHeld() {
        queue.push("a", "b", "c", "d", "e", "f");
        assertThat(pages(View.LIVE, 2, last -> queue.remove(last.id()))).containsExactly("a", "b", "c", "d", "e", "f");
        assertThat(queue.contents()).containsExactly("a", "c", "e");
        assertThat(pages(View.LIVE, 1, last -> queue.claim(1))).containsExactly("a", "c", "e");
        clock.advance(ofSeconds(60));
        assertThat(pages(View.LIVE, 1, last -> queue.push("new", Due.atMillis(1))))
                .as("a message before the cursor is not returned")
                .containsExactly("a", "c", "e");
    }

    @Test
    void findsByIdAndOmitsAbsentIds() {
        List<String> ids = queue.push("a", "b", "c");
        queue.ack(queue.claimOne());
        assertThat(texts(
                        queue.browse(BrowseRequest.builder().ids(List.of(ids.get(2), "nope", ids.get(0), ids.get(1))))))
                .containsExactlyInAnyOrder("b", "c");
        assertThat(texts(queue.browse(BrowseRequest.builder().view(View.HISTORY).ids(ids))))
                .containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "1.2", "1.x.id"})
    void refusesAnInvalidCursor(String text) {
        for (View view : View.values()) {
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() ->
                            queue.browse(BrowseRequest.builder().view(view).after(text)))
                    .havingCause()
                    .isInstanceOf(StorageException.class)
                    .withMessageContaining("cursor");
        }
    }

    @Test
    void historyHoldsAckedAndTakenMessagesLatestFirst() {
        queue.push("a", "b", "c", "d");
        StoredMessage held = queue.claimOne();
        queue.take(2);
        queue.ack(held);
        List<StoredMessage> history = queue.history();
        assertThat(texts(history)).containsExactly("a", "c", "b");
        assertThat(history).extracting(StoredMessage::state).containsOnly(State.PROCESSED);
        assertThat(pages(View.HISTORY, 2, last -> {})).containsExactly("a", "c", "b");
        assertThat(queue.numbers()).containsExactly(1L, 0L, 0L, 3L);
    }

    @Test
    void forgetsHistoryAfterItsTime() {
        queue.push("a", "b");
        queue.take(1);
        clock.advance(ofSeconds(5));
        queue.take(1);
        clock.advance(ofMillis(4999));
        assertThat(queue.counts().history()).isEqualTo(2);
        clock.advance(ofMillis(1));
        assertThat(texts(queue.history())).containsExactly("b");
        clock.advance(ofSeconds(5));
        assertThat(queue.counts().history()).isZero();
    }

    @Test
    void removesRestoredMessagesFromTheHistory() {
        queue.push("a", "b");
        List<StoredMessage> taken = queue.take(2).messages();
        queue.restore(taken.get(0));
        assertThat(texts(queue.history())).containsExactly("b");
    }

    @Test
    void keepsTheLatestConsumedMessageOfAnId() {
        for (String text : List.of("first", "second")) {
            queue.insert(NewMessage.builder()
                    .id("x")
                    .payload(TestQueue.payload(text))
                    .build());
            queue.take(1);
        }
        assertThat(texts(queue.history())).containsExactly("second");
        assertThat(queue.counts().history()).isEqualTo(1);
    }

    @Test
    void aQueueSetsItsOwnHistoryTime() {
        TestQueue longer = new TestQueue(backend.queue(
                QueueSpec.builder().name("q").historyMillis(20_000).build()));
        queue.push("a", "b");
        longer.take(1);
        queue.take(1);
        clock.advance(ofSeconds(10));
        assertThat(texts(queue.history())).containsExactly("a");
        TestQueue none = TestQueue.of(TestQueue.open("memory:", clock), "q");
        none.push("a");
        none.take(1);
        assertThat(none.history()).isEmpty();
    }
}
