package dev.jono.testkit;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The contract of the SPI ({@link dev.jono.spi.QueueStore}, {@link dev.jono.spi.Backend}), tested with a backend
 * without the engine. Name the subclass {@code *ContractTest}, so that Surefire runs it.
 */
@Tag("store")
public abstract class StoreContract {
    /** For subclasses. */
    protected StoreContract() {}

    /** Returns an empty storage location. Called for each test. */
    protected abstract ContractSetup open();

    /** Traits, names of queues, and empty requests. */
    @Nested
    @DisplayName("rules for every method")
    public class Common extends StoreCommonRules {
        Common() {
            super(StoreContract.this::open);
        }
    }

    /** Insert, take and restore. */
    @Nested
    @DisplayName("insert, take, restore")
    public class Taking extends StoreTakeRules {
        Taking() {
            super(StoreContract.this::open);
        }
    }

    /** Claim. */
    @Nested
    @DisplayName("claim")
    public class Claiming extends StoreClaimRules {
        Claiming() {
            super(StoreContract.this::open);
        }
    }

    /** Whether a claim brings a message for the first time. */
    @Nested
    @DisplayName("first delivery")
    public class First extends StoreFirstDeliveryRules {
        First() {
            super(StoreContract.this::open);
        }
    }

    /** Ack, release, extend, move. */
    @Nested
    @DisplayName("settle")
    public class Settling extends StoreSettleRules {
        Settling() {
            super(StoreContract.this::open);
        }
    }

    /** Lists of reservations some of which another process has claimed or consumed. */
    @Nested
    @DisplayName("settle lists of which some are lost")
    public class Mixed extends StoreMixedRules {
        Mixed() {
            super(StoreContract.this::open);
        }
    }

    /** Calls that are repeated with their token. */
    @Nested
    @DisplayName("unknown outcome")
    public class Repeating extends StoreRepeatRules {
        Repeating() {
            super(StoreContract.this::open);
        }
    }

    /** Queues with ordering keys. */
    @Nested
    @DisplayName("ordering keys")
    public class Keyed extends StoreKeyedRules {
        Keyed() {
            super(StoreContract.this::open);
        }
    }

    /** Moves of idle messages that keep tries and due times. */
    @Nested
    @DisplayName("edit")
    public class Editing extends StoreEditRules {
        Editing() {
            super(StoreContract.this::open);
        }
    }

    /** Delete. */
    @Nested
    @DisplayName("delete")
    public class Deleting extends StoreDeleteRules {
        Deleting() {
            super(StoreContract.this::open);
        }
    }

    /** Browse, counts, probe, remove, purge. */
    @Nested
    @DisplayName("look, remove, purge")
    public class Looking extends StoreLookRules {
        Looking() {
            super(StoreContract.this::open);
        }
    }
}
