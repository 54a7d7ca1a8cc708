package dev.jono.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Checks that the engine's threads end with the tests that used them. The tests of a class may run side by side, and a
 * thread does not tell whose it is; so the check comes whenever none of them is under way: after each where they run one
 * by one, else after the last of some that overlapped.
 */
final class EngineThreads implements BeforeEachCallback, AfterEachCallback {
    private static final ReentrantLock LOCK = new ReentrantLock();

    @GuardedBy("LOCK") private static int underWay;

    /** Those that were there when no test was. */
    @GuardedBy("LOCK") private static Set<Thread> before = Set.of();

    @Override
    public void beforeEach(ExtensionContext context) {
        LOCK.lock();
        try {
            if (underWay++ == 0) {
                before = present();
            }
        } finally {
            LOCK.unlock();
        }
    }

    /** Waits with the lock, so that no other test begins meanwhile. */
    @Override
    public void afterEach(ExtensionContext context) {
        LOCK.lock();
        try {
            if (--underWay > 0) {
                return;
            }
            Set<Thread> known = before;
            Awaitility.await("the engine's threads to end")
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .atMost(Duration.ofSeconds(15))
                    .until(() -> known.containsAll(present()));
        } finally {
            LOCK.unlock();
        }
    }

    /** The shared clock is nobody's: its thread ends a while after the last timer. */
    private static Set<Thread> present() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().startsWith("jono-") && !t.getName().equals("jono-shared-clock"))
                .collect(Collectors.toSet());
    }
}
