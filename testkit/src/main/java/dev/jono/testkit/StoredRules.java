package dev.jono.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.Capability;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.PushResult;
import dev.jono.QueueFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** When push returns, or its future completes, the storage holds the message. */
abstract class StoredRules extends ContractCase {
    StoredRules(Supplier<ContractSetup> opener) {
        super(opener);
    }

    @Test
    void pushedMessageIsThereForAnotherClientWhenPushReturns() throws Exception {
        MessageQueue<String> remote = orders(client());
        PushResult result = orders().push("a");
        assertThat(result.duplicate()).isFalse();
        Message<String> message = popped(remote);
        assertThat(message.payload()).isEqualTo("a");
        assertThat(message.id()).isEqualTo(result.id());
        assertThat(message.queue()).isEqualTo("orders");
    }

    @Test
    void asyncPushIsThereWhenItsFutureCompletes() {
        MessageQueue<String> remote = orders(client());
        long seen = track(orders().pushAsync("a").thenApply(done -> remote.totalSize()))
                .join();
        assertThat(seen).isEqualTo(1);
    }

    @Test
    void listIsThereWhenPushAllReturns() throws Exception {
        MessageQueue<String> remote = orders(client());
        List<PushResult> results = orders().pushAll(List.of("a", "b", "c"));
        assertThat(results.stream().map(PushResult::id).distinct()).hasSize(3);
        assertThat(remote.totalSize()).isEqualTo(3);
        List<Message<String>> all = remote.pop(10, Duration.ZERO);
        assertThat(all.stream().map(Message::id))
                .containsExactlyElementsOf(results.stream().map(PushResult::id).toList());
    }

    @Test
    void nothingIsLostWhenTheClientThatPushedIsClosed() throws Exception {
        QueueFactory stays = client();
        QueueFactory goes = client();
        List<String> pushed = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            orders(goes).push("m" + i);
            pushed.add("m" + i);
        }
        goes.close();
        assertThat(popAll(orders(stays))).isEqualTo(pushed);
    }

    @Test
    void closeCompletesThePushesUnderWay() {
        QueueFactory stays = client();
        QueueFactory goes = client();
        MessageQueue<String> queue = orders(goes);
        List<CompletableFuture<PushResult>> pushes = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            pushes.add(track(queue.pushAsync("m" + i)));
        }
        goes.close();
        awaitReal("all pushes to end", () -> pushes.stream().allMatch(CompletableFuture::isDone));
        long acknowledged =
                pushes.stream().filter(p -> !p.isCompletedExceptionally()).count();
        assertThat(orders(stays).totalSize())
                .as("stored messages, of the acknowledged ones")
                .isEqualTo(acknowledged);
    }

    @Test
    void messagesSurviveTheLastClientWhereTheStorageIsDurable() throws Exception {
        requires(Capability.DURABLE);
        QueueFactory goes = client();
        orders(goes).pushAll(List.of("a", "b"));
        goes.close();
        assertThat(popAll(orders(client()))).containsExactly("a", "b");
    }

    @Test
    void queueTellsNameBackendAndCapabilities() {
        MessageQueue<String> queue = orders();
        assertThat(queue.name()).isEqualTo("orders");
        assertThat(queue.backend()).isEqualTo(jono().backend());
        assertThat(queue.capabilities())
                .containsExactlyInAnyOrderElementsOf(storage().declared());
    }
}
