package dev.jono.testkit;

import dev.jono.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The ways to settle or extend a reservation. */
enum SettleStep {
    ACK {
        @Override
        void on(Lease lease) {
            lease.ack();
        }

        @Override
        CompletableFuture<?> startOn(Lease lease) {
            return lease.ackAsync();
        }
    },
    RETRY {
        @Override
        void on(Lease lease) {
            lease.retry();
        }

        @Override
        CompletableFuture<?> startOn(Lease lease) {
            return lease.retryAsync();
        }
    },
    RETRY_AT_ONCE {
        @Override
        void on(Lease lease) {
            lease.retry(Duration.ZERO);
        }

        @Override
        CompletableFuture<?> startOn(Lease lease) {
            return lease.retryAsync(Duration.ZERO);
        }
    },
    RELEASE {
        @Override
        void on(Lease lease) {
            lease.release();
        }

        @Override
        CompletableFuture<?> startOn(Lease lease) {
            return lease.releaseAsync(Duration.ZERO);
        }
    },
    REJECT {
        @Override
        void on(Lease lease) {
            lease.reject("no good");
        }

        @Override
        CompletableFuture<?> startOn(Lease lease) {
            return lease.rejectAsync("no good");
        }
    },
    EXTEND {
        @Override
        void on(Lease lease) {
            lease.extend(Duration.ofMinutes(1));
        }

        @Override
        CompletableFuture<?> startOn(Lease lease) {
            return lease.extendAsync(Duration.ofMinutes(1));
        }
    },
    MOVE_TO {
        @Override
        void on(Lease lease) {
            lease.moveTo("elsewhere");
        }

        @Override
        CompletableFuture<?> startOn(Lease lease) {
            return lease.moveToAsync("elsewhere");
        }
    };

    /** Calls the blocking method. */
    abstract void on(Lease lease);

    /** Calls the asynchronous method. */
    abstract CompletableFuture<?> startOn(Lease lease);
}
