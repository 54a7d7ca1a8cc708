package dev.jono.testkit;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The contract of queues (docs/guarantees.md), tested through the public API. There is a nested class per row, with the
 * name and the tag of the row. A test is skipped, with the reason, if it needs a capability that the backend does not
 * declare. The backend must refuse what it does not declare. Name the subclass {@code *ContractTest}, so that Surefire
 * runs it.
 */
public abstract class QueueContract {
    /** For subclasses. */
    protected QueueContract() {}

    /** Returns an empty storage location. Called for each test. */
    protected abstract ContractSetup open();

    @Nested
    @DisplayName("stored")
    @Tag("stored")
    public class Stored extends StoredRules {
        Stored() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("once")
    @Tag("once")
    public class Once extends OnceRules {
        Once() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("lease")
    @Tag("lease")
    public class Lease extends LeaseRules {
        Lease() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("fenced")
    @Tag("fenced")
    public class Fenced extends FencedRules {
        Fenced() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("order")
    @Tag("order")
    public class Order extends OrderRules {
        Order() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("order per key")
    @Tag("order-per-key")
    public class OrderPerKey extends KeyedRules {
        OrderPerKey() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("order per key: workers")
    @Tag("order-per-key")
    public class OrderPerKeyWork extends KeyedWorkRules {
        OrderPerKeyWork() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("order per key: model")
    @Tag("order-per-key")
    public class OrderPerKeyModel extends KeyedModelRules {
        OrderPerKeyModel() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("duplicate")
    @Tag("duplicate")
    public class Duplicate extends DuplicateRules {
        Duplicate() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("edit")
    @Tag("edit")
    public class Edit extends EditRules {
        Edit() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("transaction")
    @Tag("transaction")
    public class Transactions extends TransactionRules {
        Transactions() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("schedule")
    @Tag("schedule")
    public class Schedule extends ScheduleRules {
        Schedule() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("clock")
    @Tag("clock")
    public class Clock extends ClockRules {
        Clock() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("unknown outcome")
    @Tag("unknown-outcome")
    public class UnknownOutcome extends UnknownOutcomeRules {
        UnknownOutcome() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("tries")
    @Tag("tries")
    public class Tries extends TriesRules {
        Tries() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("dead letter")
    @Tag("dead-letter")
    public class DeadLetters extends DeadLetterRules {
        DeadLetters() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("dead letter: undecodable, poison, redrive")
    @Tag("dead-letter")
    public class DeadLetterCare extends DeadLetterCareRules {
        DeadLetterCare() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("move")
    @Tag("move")
    public class Move extends MoveRules {
        Move() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("cancel")
    @Tag("cancel")
    public class Cancel extends CancelRules {
        Cancel() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("pause")
    @Tag("pause")
    public class Pause extends PauseRules {
        Pause() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("drain")
    @Tag("drain")
    public class Drain extends DrainRules {
        Drain() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("lists")
    @Tag("lists")
    public class Lists extends ListRules {
        Lists() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("refuse")
    @Tag("refuse")
    public class Refuse extends RefuseRules {
        Refuse() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("bad input")
    @Tag("bad-input")
    public class BadInput extends BadInputRules {
        BadInput() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("bad input: hostile payloads, errors")
    @Tag("bad-input")
    public class Hostile extends HostileRules {
        Hostile() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("bad input: interrupts")
    @Tag("bad-input")
    public class Interrupts extends InterruptRules {
        Interrupts() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("payloads")
    @Tag("payloads")
    public class Payloads extends PayloadRules {
        Payloads() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("payloads: JSON")
    @Tag("payloads")
    public class Json extends JsonRules {
        Json() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("look, remove, purge, history")
    @Tag("look-remove-purge-history")
    public class Looking extends LookRules {
        Looking() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("delete")
    @Tag("delete")
    public class Delete extends DeleteRules {
        Delete() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("competing consumers")
    @Tag("competing-consumers")
    public class Competing extends CompetingRules {
        Competing() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("worker")
    @Tag("worker")
    public class Workers extends WorkerRules {
        Workers() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("worker: queues")
    @Tag("worker")
    public class WorkerQueues extends WorkerQueuesRules {
        WorkerQueues() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("worker: leases and stop")
    @Tag("worker")
    public class WorkerStop extends WorkerStopRules {
        WorkerStop() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("worker: returns, overtime, close")
    @Tag("worker")
    public class WorkerReturn extends WorkerReturnRules {
        WorkerReturn() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("interceptors")
    @Tag("interceptors")
    public class Interceptors extends InterceptorRules {
        Interceptors() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("listeners")
    @Tag("listeners")
    public class Listeners extends ListenerRules {
        Listeners() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("stats")
    @Tag("stats")
    public class Stats extends StatsRules {
        Stats() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("bounds and batches")
    @Tag("bounds-and-batches")
    public class Bounds extends BoundsRules {
        Bounds() {
            super(QueueContract.this::open);
        }
    }

    @Nested
    @DisplayName("shortage")
    @Tag("shortage")
    public class Shortage extends ShortageRules {
        Shortage() {
            super(QueueContract.this::open);
        }
    }
}
