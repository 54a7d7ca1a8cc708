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
 * Checks that the threads of the engine end with the tests that used them. Tests may run in parallel, and a thread does
 * not show which test it belongs to. So the check runs whenever no test is running: after each test if they run one by
 * one, otherwise after the last of several that overlapped.
 */
final class EngineThreads implements BeforeEachCallback, AfterEachCallback {
    private static final ReentrantLock LOCK = new ReentrantLock();

    @GuardedBy("LOCK") private static int running;

    /** The threads that existed when no test was running. */
    @GuardedBy("LOCK") private static Set<Thread> before = Set.of();

    @Override
    public void beforeEach(ExtensionContext context) {
        LOCK.lock();
        try {
            if (running++ == 0) {
                before = present();
            }
        } finally {
            LOCK.unlock();
        }
    }

    /** Waits while it holds the lock, so that no other test begins meanwhile. */
    @Override
    public void afterEach(ExtensionContext context) {
        LOCK.lock();
        try {
            if (--running > 0) {
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

    /** All threads of the engine except the shared clock, whose thread ends some time after the last timer. */
    private static Set<Thread> present() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().startsWith("jono-") && !t.getName().equals("jono-shared-clock"))
                .collect(Collectors.toSet());
    }
}
