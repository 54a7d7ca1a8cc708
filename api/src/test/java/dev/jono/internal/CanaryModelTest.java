package dev.jono.internal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Checks the checker, which must find a known race with the effort that the other models get. */
final class CanaryModelTest {
    @Test
    void aForgottenSignalIsFound() {
        assertThatThrownBy(() -> Fakes.options(20, 400).check(Forgetful.class))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("nothing is left behind");
    }

    @Test
    void aRememberedSignalPasses() {
        Fakes.options(20, 400).check(Mindful.class);
    }

    /** A look that is under way swallows the signal that comes meanwhile. */
    public static final class Forgetful {
        private final AtomicInteger stored = new AtomicInteger();
        private final AtomicBoolean looking = new AtomicBoolean();

        /** Stores one, and signals. */
        @Operation
        public void insert() {
            stored.incrementAndGet();
            if (looking.compareAndSet(false, true)) {
                stored.getAndSet(0);
                looking.set(false);
            }
        }

        /** When all threads have ended. */
        @Validate
        public void check() {
            Fakes.expect(stored.get() == 0, "nothing is left behind");
        }
    }

    /** The same, with the engine's way of remembering. */
    public static final class Mindful {
        private final AtomicInteger stored = new AtomicInteger();
        private final AtomicInteger work = new AtomicInteger();

        /** Stores one, and signals. */
        @Operation
        public void insert() {
            stored.incrementAndGet();
            if (work.getAndIncrement() == 0) {
                int seen = 1;
                do {
                    stored.getAndSet(0);
                    seen = work.addAndGet(-seen);
                } while (seen != 0);
            }
        }

        /** When all threads have ended. */
        @Validate
        public void check() {
            Fakes.expect(stored.get() == 0, "nothing is left behind");
        }
    }
}
