package dev.jono.cli;

import dev.jono.JonoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The processes of one act of the demo: starts and watches them, and kills the victim when the ledger says so. */
final class DemoProcesses implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration STALL = Duration.ofMinutes(2);
    private static final Duration END = Duration.ofSeconds(30);
    /** For processes that run for a minute, the optimizing compiler costs more time than it saves. */
    private static final List<String> JVM_OPTIONS = List.of("-XX:TieredStopAtLevel=1");

    private final DemoSetting setting;
    private final DemoLedger ledger;
    private final String victimName;
    private final String death;
    private final List<ChildProcess> children = new ArrayList<>();
    private final Set<ChildProcess> tasks = new HashSet<>();
    private final JonoClock clock = JonoClock.system();
    private final long startNanos = clock.nanos();
    private volatile @Nullable ChildProcess victim;
    private volatile boolean killed;

    /**
     * Starts no process yet.
     *
     * @param victimName the name of the process to kill
     * @param death what happens to it, for the user
     */
    DemoProcesses(DemoSetting setting, DemoLedger ledger, String victimName, String death) {
        this.setting = setting;
        this.ledger = ledger;
        this.victimName = victimName;
        this.death = death;
    }

    /** How far an act is. */
    record Standing(boolean over, String progress) {}

    /** Starts a process that runs until it is stopped. */
    void start(String name, List<String> arguments) throws IOException {
        launch(name, arguments);
    }

    /** Starts a process that ends when its work is done. */
    ChildProcess startTask(String name, List<String> arguments) throws IOException {
        ChildProcess task = launch(name, arguments);
        tasks.add(task);
        return task;
    }

    private ChildProcess launch(String name, List<String> arguments) throws IOException {
        ChildProcess child = setting.common()
                .startChild(name, JVM_OPTIONS, arguments, line -> onReport(name, line), setting.display()::say);
        children.add(child);
        if (name.equals(victimName)) {
            victim = child;
        }
        return child;
    }

    private void onReport(String process, String line) {
        ledger.record(process, line);
        ChildProcess target = victim;
        if (target != null && process.equals(victimName) && ledger.isTimeToKill(process, line)) {
            victim = null;
            killed = true;
            target.kill();
            setting.display().say("killed " + victimName + " while it " + death);
        }
    }

    /** Waits until the act is over, or until nothing is reported for two minutes. */
    void watch(Supplier<Standing> act) throws InterruptedException {
        long lastEvents = -1;
        long lastEventNanos = clock.nanos();
        for (Standing standing = act.get(); !standing.over(); standing = act.get()) {
            long events = ledger.events();
            if (events != lastEvents) {
                lastEvents = events;
                lastEventNanos = clock.nanos();
            } else if (clock.nanos() - lastEventNanos > STALL.toNanos()) {
                setting.display().say("no progress for " + STALL.toSeconds() + " s");
                return;
            }
            checkChildren();
            setting.display()
                    .show(standing.progress()
                            + String.format(Locale.ROOT, "  %.0f s", (clock.nanos() - startNanos) / 1e9));
            if (new CountDownLatch(1).await(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the latch cannot open");
            }
        }
    }

    private void checkChildren() throws InterruptedException {
        for (ChildProcess child : children) {
            boolean mayEnd = killed && child.name().equals(victimName);
            if (child.isAlive() || mayEnd) {
                continue;
            }
            int code = child.join(END);
            if (!tasks.contains(child) || code != Exit.DONE) {
                throw CliException.error("process " + child.name() + " of the demo ended with exit code " + code);
            }
        }
    }

    /** Stops the processes, and reads their last reports. Returns whether the victim was killed before. */
    boolean stop() throws InterruptedException {
        victim = null;
        children.forEach(ChildProcess::stop);
        for (ChildProcess child : children) {
            child.join(END);
        }
        return killed;
    }

    @Override
    public void close() {
        children.forEach(ChildProcess::close);
    }
}
