package dev.jono.internal.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.internal.batch.BatchedCall;
import dev.jono.internal.batch.Lane;
import dev.jono.internal.fakes.FakePlugins;
import dev.jono.internal.fakes.Fakes;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** No memory for one more thread: what another thread would have done is done by this one, and nobody waits for ever. */
final class DriversTest {
    private static final Executor NONE = task -> {
        throw new OutOfMemoryError("unable to create native thread");
    };

    @Test
    void aLaneThatCannotHandOverGoesOn() {
        Chain lane = new Chain(Fakes.context(new Fakes.Clock(), 10, NONE), 100);
        lane.submitInternal(new Chain.Link(lane, 0));
        assertThat(lane.ended).hasSize(100);
        assertThat(lane.awaitQuiet(0)).isTrue();
    }

    @Test
    void manyWhoWaitAreAllTold() {
        Fakes.Clock clock = new Fakes.Clock();
        CompletableFuture<ClaimResult> answer = new CompletableFuture<>();
        WaitingConsumers intake = Fakes.core(
                        Fakes.context(clock, 100, NONE),
                        new FakePlugins.NoStore() {
                            @Override
                            public CompletionStage<ClaimResult> take(ClaimRequest request) {
                                return answer;
                            }
                        },
                        new FakePlugins.NoStats() {
                            @Override
                            public CompletionStage<Set<String>> paused(Collection<String> queues) {
                                return CompletableFuture.completedFuture(Set.of());
                            }
                        },
                        new FakePlugins.Ear())
                .consumers;
        List<CallWaiter> waiters = new ArrayList<>();
        // The first has its look alone; the others come while it is under way.
        for (int i = 0; i < 20; i++) {
            CallWaiter waiter = new CallWaiter(
                    "owner",
                    intake,
                    Fakes.QUEUE,
                    new ClaimTerms(0, 25, "dead", null, 1),
                    1,
                    true,
                    true,
                    10_000_000_000L);
            waiters.add(waiter);
            waiter.start();
        }
        answer.complete(ClaimResult.builder()
                .messages(List.of())
                .nextMillis(ClaimResult.NONE)
                .storageMillis(1)
                .build());
        assertThat(waiters).allMatch(waiter -> waiter.result.isDone());
    }

    /** Each call, when it ends, makes the next one. */
    private static final class Chain extends Lane<Chain.Link, Long> {
        private final List<Integer> ended = new ArrayList<>();
        private final int length;

        Chain(EngineContext context, int length) {
            super(context, Fakes.QUEUE, "test", 1, Fakes.TIMEOUT);
            this.length = length;
        }

        static final class Link extends BatchedCall {
            private final int number;

            Link(Chain lane, int number) {
                super(1, lane.length);
                this.number = number;
            }

            @Override
            protected void fail(RuntimeException failure) {}
        }

        @Override
        protected CompletionStage<Long> send(List<Link> batch, String token) {
            return CompletableFuture.completedFuture(1L);
        }

        @Override
        protected void complete(List<Link> batch, Long answer, boolean repeated) {
            for (Link link : batch) {
                ended.add(link.number);
                if (link.number + 1 < length) {
                    submitInternal(new Link(this, link.number + 1));
                }
            }
        }

        @Override
        protected long storageMillis(Long answer) {
            return answer;
        }
    }
}
