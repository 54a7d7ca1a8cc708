package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.MessageQueue;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import dev.jono.QueueFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The row "duplicate". */
abstract class DuplicateRules extends ContractCase {
    private static final int CLIENTS = 4;
    private static final int KEYS = 50;

    DuplicateRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @BeforeEach
    void needsUniqueKeys() {
        requires(Capability.DEDUPLICATE);
    }

    private PushOptions unique(String key) {
        return PushOptions.none().unique(key, seconds(10));
    }

    @Test
    void secondPushWithinTheWindowStoresNothingAndReturnsTheFirstId() throws Exception {
        PushResult first = orders().push("a", unique("img-7"));
        assertThat(first.duplicate()).isFalse();
        PushResult second = orders(client()).push("b", unique("img-7"));
        assertThat(second.duplicate()).isTrue();
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(orders().push("c", unique("img-8")).duplicate()).isFalse();
        assertThat(popAll(orders())).containsExactly("a", "c");
    }

    @Test
    void windowGoesOnWhenTheMessageIsConsumed() throws Exception {
        String id = orders().push("a", unique("k")).id();
        assertThat(popAll(orders())).containsExactly("a");
        PushResult again = orders().push("b", unique("k"));
        assertThat(again.duplicate()).isTrue();
        assertThat(again.id()).isEqualTo(id);
        assertThat(popAll(orders())).isEmpty();
    }

    @Test
    void windowEndsByTheStoragesClock() throws Exception {
        orders().push("a", PushOptions.none().unique("k", seconds(2)));
        pass(seconds(3));
        assertThat(orders().push("b", PushOptions.none().unique("k", seconds(2)))
                        .duplicate())
                .isFalse();
        assertThat(popAll(orders())).containsExactly("a", "b");
    }

    @Test
    void keysBelongToTheirQueue() throws Exception {
        orders().push("a", unique("k"));
        assertThat(queue("other").push("b", unique("k")).duplicate()).isFalse();
        assertThat(popAll(orders())).containsExactly("a");
        assertThat(popAll(queue("other"))).containsExactly("b");
    }

    @Test
    void queuesOfAScopeShareTheirKeys() throws Exception {
        requires(Capability.ATOMIC_MOVE); // a scope does not reach other slots of a Cluster either
        orders().push("a", unique("k"));
        PushOptions scoped = PushOptions.none().unique("images", "k", seconds(10));
        PushResult first = orders().push("c", scoped);
        assertThat(first.duplicate()).isFalse();
        PushResult second = queue("other").push("d", scoped);
        assertThat(second.duplicate()).isTrue();
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(popAll(orders())).containsExactly("a", "c");
        assertThat(popAll(queue("other"))).isEmpty();
    }

    @Test
    void forgetEndsTheWindowOfThisIdAlone() throws Exception {
        String first = orders().push("a", unique("k")).id();
        orders().forget("k", "0123456789abcdef01234567");
        assertThat(orders().push("b", unique("k")).duplicate()).isTrue();
        orders().forget("k", first);
        PushResult second = orders().push("c", unique("k"));
        assertThat(second.duplicate()).isFalse();
        orders().forget("k", first);
        assertThat(orders().push("d", unique("k")).id()).isEqualTo(second.id());
        orders().forget("k", second.id());
        orders().forget("never", second.id());
        assertThat(popAll(orders())).containsExactly("a", "c");
    }

    @Test
    void listOfOneKeyStoresItsFirstMessage() throws Exception {
        List<PushResult> results = orders().pushAll(List.of("a", "b", "c"), unique("k"));
        assertThat(results).extracting(PushResult::duplicate).containsExactly(false, true, true);
        assertThat(results.stream().map(PushResult::id).distinct()).hasSize(1);
        assertThat(popAll(orders())).containsExactly("a");
    }

    /** A storage looks up and stores many keys together. */
    @Test
    void pushesInFlightAreDuplicatesOfTheirOwnKeyOnly() throws Exception {
        int keys = 140;
        for (int round = 0; round < 2; round++) {
            boolean again = round > 0;
            List<CompletableFuture<PushResult>> pushes = IntStream.range(0, 200)
                    .mapToObj(i ->
                            orders().pushAsync("m" + i, PushOptions.none().unique("k" + i % keys, seconds(600))))
                    .toList();
            List<PushResult> results =
                    pushes.stream().map(CompletableFuture::join).toList();
            for (int i = 0; i < results.size(); i++) {
                assertThat(results.get(i).duplicate()).as("push %d", i).isEqualTo(again || i >= keys);
                assertThat(results.get(i).id())
                        .as("push %d", i)
                        .isEqualTo(results.get(i % keys).id());
            }
            assertThat(results.stream().map(PushResult::id).distinct()).hasSize(keys);
        }
        assertThat(popAll(orders()))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, keys).mapToObj(i -> "m" + i).toList());
    }

    @Test
    void duplicatesAreNotCounted() {
        orders().push("a", unique("k"));
        orders().push("b", unique("k"));
        awaitReal("the counts", () -> orders().stats().pushed() == 1);
        assertThat(orders().remove(orders().push("c", unique("k")).id())).isNotNull();
    }

    @Test
    void competingPushesOfOneKeyStoreOneMessage() throws Exception {
        List<CompletableFuture<List<PushResult>>> pushers = new ArrayList<>();
        for (int c = 0; c < CLIENTS; c++) {
            QueueFactory client = client();
            MessageQueue<String> queue = orders(client);
            pushers.add(inBackground(() -> {
                List<CompletableFuture<PushResult>> results = new ArrayList<>();
                for (int k = 0; k < KEYS; k++) {
                    results.add(queue.pushAsync("p" + k, PushOptions.none().unique("k" + k, seconds(600))));
                }
                return results.stream().map(CompletableFuture::join).toList();
            }));
        }
        List<PushResult> all = new ArrayList<>();
        for (CompletableFuture<List<PushResult>> pusher : pushers) {
            all.addAll(passUntilDone("pushes", seconds(600), pusher));
        }
        Set<String> stored =
                all.stream().filter(r -> !r.duplicate()).map(PushResult::id).collect(Collectors.toSet());
        assertThat(stored).hasSize(KEYS);
        assertThat(all).allSatisfy(result -> assertThat(stored).contains(result.id()));
        assertThat(popAll(orders())).hasSize(KEYS).doesNotHaveDuplicates();
    }
}
