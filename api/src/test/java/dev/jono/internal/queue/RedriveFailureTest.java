package dev.jono.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.jono.EncodedPayload;
import dev.jono.JonoException;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.StorageException;
import dev.jono.internal.fakes.Fakes;
import dev.jono.internal.fakes.Hooked;
import dev.jono.spi.MoveRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A redrive that fails holds nothing back: what it could not move may be moved, or read, at once. */
final class RedriveFailureTest {
    private final Hooked hooked = new Hooked();
    private final Fakes.Clock clock = new Fakes.Clock();

    @AfterEach
    void close() {
        hooked.close();
    }

    private MessageQueue<EncodedPayload> deadLetters(QueueFactory jono) throws InterruptedException {
        MessageQueue<String> orders = jono.queue("orders", String.class);
        orders.pushAll(List.of("a", "b", "c"));
        orders.reserve(3, Duration.ZERO).forEach(held -> held.reject("a test's"));
        return jono.deadLetters();
    }

    @Test
    void whatCouldNotBeMovedIsNotKept() throws Exception {
        QueueFactory jono = hooked.connect();
        MessageQueue<EncodedPayload> dead = deadLetters(jono);
        String refused = dead.browse(null, 1).get(0).id();
        hooked.on("move", (request, real) -> {
            boolean bad = ((MoveRequest) request)
                    .items().stream().anyMatch(item -> item.receipt().id().equals(refused));
            return bad
                    ? CompletableFuture.failedFuture(new StorageException("no room", null, null, null))
                    : real.call();
        });
        assertThatThrownBy(dead::redrive).isInstanceOf(StorageException.class);
        await("it to be given back").until(() -> dead.counts().ready() == 1);
        assertThat(jono.queue("orders", String.class).size()).isEqualTo(2);
        hooked.off("move");
        assertThat(dead.redrive()).isEqualTo(1);
    }

    @Test
    void whatAClaimBringsTooLateIsGivenBack() throws Exception {
        QueueFactory jono = hooked.connect(hooked.builder().clock(clock));
        MessageQueue<EncodedPayload> dead = deadLetters(jono);
        CompletableFuture<Object> reply = new CompletableFuture<>();
        hooked.on("claim", (request, real) -> {
            CompletableFuture<Object> claimed = called(real);
            return reply.thenCompose(come -> claimed);
        });
        CompletableFuture<Long> redrive = CompletableFuture.supplyAsync(dead::redrive);
        await("the claim").until(() -> dead.counts().reserved() > 0);
        await("the end of the time").until(() -> {
            clock.pass(Duration.ofSeconds(1));
            return redrive.isDone();
        });
        assertThat(redrive).isCompletedExceptionally();
        reply.complete("come");
        await("it to be given back").until(() -> dead.counts().ready() == 3);
        assertThatThrownBy(redrive::join).hasCauseInstanceOf(JonoException.class);
    }

    private static CompletableFuture<Object> called(Callable<Object> real) throws Exception {
        return ((CompletionStage<?>) real.call()).toCompletableFuture().thenApply(answer -> (Object) answer);
    }
}
