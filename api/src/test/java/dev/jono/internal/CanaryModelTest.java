package dev.jono.internal;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.internal.fakes.Fakes;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks the checker: it must find a known race with the effort that the other models get. */
@Timeout(300) // The checker spins: it is slow on a busy machine.
@Tag("model")
final class CanaryModelTest {
    @Test
    void aLostWakeUpIsFound() {
        assertThatThrownBy(() -> Fakes.check(Forgetful.class, "| insert | insert"))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("nothing is left behind");
    }

    /** The twin of the loops in lanes and intakes, without their memory: a signal that comes during a look is lost. */
    public static final class Forgetful {
        private final AtomicInteger stored = new AtomicInteger();
        private final AtomicBoolean looking = new AtomicBoolean();

        /** Stores one, and signals. */
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
            Fakes.unwatched(() -> Fakes.expect(stored.get() == 0, "nothing is left behind"));
        }
    }
}
