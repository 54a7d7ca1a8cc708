package dev.jono.pipeline;

import dev.jono.Backoff;
import dev.jono.Handler;
import dev.jono.Reservation;
import dev.jono.internal.PipelineMoves;
import java.util.Objects;

/**
 * The handler of a link: calls the processor, and settles the message as its outcome says. Runs on the threads of the
 * link's worker.
 */
final class Stage<T> implements Handler<T> {
    private final Link link;
    private final Processor<T> processor;
    private final Backoff backoff;
    private final PipelineMoves moves;

    Stage(Link link, Processor<T> processor, Backoff backoff, PipelineMoves moves) {
        this.link = link;
        this.processor = processor;
        this.backoff = backoff;
        this.moves = moves;
    }

    /**
     * Handles one message. The worker treats an exception as the failure of any handler, and retries after the delay of
     * this link.
     */
    @Override
    public void handle(T payload, Reservation<T> delivery) throws Exception {
        PipelineMoves.backoff(delivery, backoff);
        Outcome outcome = Objects.requireNonNull(
                processor.process(payload, delivery),
                () -> "the processor of link " + link.name() + " returned null instead of an outcome");
        switch (outcome.kind()) {
            case DROP -> delivery.ack();
            case RETRY -> outcome.delay().ifPresentOrElse(delivery::retry, delivery::retry);
            case REJECT -> delivery.reject(outcome.reason().orElse("rejected"));
            case NEXT -> next(outcome, delivery);
        }
    }

    private void next(Outcome outcome, Reservation<T> delivery) {
        if (link.targets().isEmpty() && outcome.queue().isEmpty()) {
            delivery.ack();
            return;
        }
        String target = outcome.queue().orElseGet(() -> link.targets().get(0).name());
        moves.move(
                delivery,
                target,
                outcome.payload().orElse(null),
                outcome.headers(),
                outcome.delay().orElse(null));
    }
}
