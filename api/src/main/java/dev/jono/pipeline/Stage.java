package dev.jono.pipeline;

import dev.jono.Backoff;
import dev.jono.Handler;
import dev.jono.Reservation;
import dev.jono.internal.Moves;

/** A link's handler: asks the processor, and settles by its outcome. */
final class Stage<T> implements Handler<T> {
    private final Link link;
    private final Processor<T> processor;
    private final Backoff backoff;
    private final Moves moves;

    Stage(Link link, Processor<T> processor, Backoff backoff, Moves moves) {
        this.link = link;
        this.processor = processor;
        this.backoff = backoff;
        this.moves = moves;
    }

    @Override
    public void handle(T payload, Reservation<T> delivery) throws InterruptedException {
        Outcome outcome;
        try {
            outcome = processor.process(payload, delivery);
        } catch (InterruptedException e) {
            throw e; // the worker knows why it has interrupted: a stop, a lost lease, or a run that took too long
        } catch (Throwable failure) {
            moves.retry(delivery, backoff, failure);
            return;
        }
        switch (outcome.kind()) {
            case DROP -> delivery.ack();
            case RETRY ->
                moves.retry(delivery, outcome.delay().map(Backoff::fixed).orElse(backoff), null);
            case REJECT -> delivery.reject(outcome.reason().orElse("rejected"));
            case NEXT -> next(outcome, delivery);
        }
    }

    private void next(Outcome outcome, Reservation<T> delivery) {
        if (link.targets().isEmpty()) {
            delivery.ack();
            return;
        }
        String target = outcome.queue().orElse(link.targets().get(0).name());
        moves.move(
                delivery,
                target,
                outcome.payload().orElse(null),
                outcome.headers(),
                outcome.delay().orElse(null));
    }
}
