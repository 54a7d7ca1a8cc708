package dev.jono.internal.fakes;

import dev.jono.JonoClock;
import dev.jono.internal.claim.WaitingConsumersModelTest;
import dev.jono.internal.concurrent.FactoryThreads;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.runtime.EngineContext;
import dev.jono.internal.runtime.Listeners;
import dev.jono.internal.runtime.QueueScope;
import dev.jono.internal.runtime.TokenSource;
import dev.jono.internal.settle.DeadLetters;
import dev.jono.internal.stats.PendingCounts;
import dev.jono.internal.stats.StatsHub;
import dev.jono.internal.wake.CommitWatch;
import dev.jono.internal.wake.Poller;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Signaller;
import dev.jono.spi.StatsStore;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import org.jetbrains.kotlinx.lincheck.Actor;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.kotlinx.lincheck.util.ExceptionResult;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;
import org.jspecify.annotations.Nullable;

/**
 * What surrounds the parts of the engine when a model checker runs them: no threads, no real time, and answers that come
 * when the checker says so. The fakes' own bookkeeping is one step to the checker.
 */
public final class Fakes {
    public static final String QUEUE = "q";
    public static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int INTERLEAVINGS = 15;

    /** One step each, to the checker. Few: it looks each call up in here. */
    private static final String[] PLAIN = {
        Clock.class.getName(),
        Later.class.getName(),
        TokenSource.class.getName(),
        PendingCounts.class.getName(),
        WaitingConsumersModelTest.Shelf.class.getName()
    };

    private Fakes() {}

    /**
     * Runs a model through scenarios: {@code "await:1 | insert, answer | cancel"} is an await beforehand, and then two
     * threads. They are chosen and not random, for each is one of the races that the class under test must survive, and a
     * random one rarely is. They have no results to compare: what a model promises it checks when the threads have ended.
     * {@code -Djono.models.effort=20} tries as many times as many interleavings.
     */
    public static void check(Class<?> model, String... scenarios) {
        ModelCheckingOptions options = new ModelCheckingOptions()
                .iterations(0)
                .invocationsPerIteration(INTERLEAVINGS * Integer.getInteger("jono.models.effort", 1))
                .verifier(NothingThrown.class)
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(Fakes.class.getName())
                        .allMethods()
                        .ignore())
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(PLAIN)
                        .allMethods()
                        .treatAsAtomic());
        for (String scenario : scenarios) {
            List<List<Actor>> parts = Pattern.compile("\\|")
                    .splitAsStream(scenario)
                    .map(part -> actors(model, part))
                    .toList();
            options.addCustomScenario(
                    new ExecutionScenario(parts.get(0), parts.subList(1, parts.size()), List.of(), null));
        }
        options.check(model);
    }

    private static List<Actor> actors(Class<?> model, String part) {
        return Pattern.compile(",")
                .splitAsStream(part)
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .map(text -> {
                    int colon = text.indexOf(':');
                    String name = colon < 0 ? text : text.substring(0, colon);
                    List<Integer> arguments =
                            colon < 0 ? List.of() : List.of(Integer.valueOf(text.substring(colon + 1)));
                    Method method = Arrays.stream(model.getMethods())
                            .filter(m -> m.getName().equals(name) && m.getParameterCount() == arguments.size())
                            .findFirst()
                            .orElseThrow(() -> new IllegalArgumentException(model + " has no " + text));
                    return new Actor(method, arguments);
                })
                .toList();
    }

    /** Accepts every result but an exception. */
    public static final class NothingThrown implements Verifier {
        /** As the checker makes it. */
        public NothingThrown(Class<?> specification) {}

        @Override
        public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
            return results.getThreadsResultsWithClock().stream()
                    .flatMap(List::stream)
                    .noneMatch(result -> result.getResult() instanceof ExceptionResult);
        }
    }

    public static PendingCounts counters(StatsHub hub) {
        return new PendingCounts(hub, QUEUE);
    }

    public static EngineContext context(Clock clock, int maxBatch, Executor drivers) {
        return new EngineContext(
                clock,
                new FakePlugins.NoBackend(maxBatch),
                "fake",
                new FactoryThreads(Runnable::run, drivers, drivers, JonoClock.system()),
                List.of(),
                new Listeners(List.of()));
    }

    public static QueueCore core(EngineContext context, QueueStore store, StatsStore stats, Signaller signaller) {
        return new QueueCore(new QueueCore.Parts(
                new QueueScope(context, QUEUE, store, TIMEOUT),
                Duration.ofSeconds(15),
                new StatsHub(context, stats),
                signaller,
                false,
                new Poller(context),
                new CommitWatch(context),
                null,
                name -> {
                    throw new UnsupportedOperationException(name);
                },
                DeadLetters::limit));
    }

    /** Stands still until it is moved. */
    public static final class Clock implements JonoClock {
        private static final long WALL_MILLIS = 1_000_000;

        private final List<Planned> planned = new ArrayList<>();
        private long nanos;

        private static final class Planned implements Timer {
            final long atNanos;
            final Runnable task;
            volatile boolean cancelled;

            Planned(long atNanos, Runnable task) {
                this.atNanos = atNanos;
                this.task = task;
            }

            @Override
            public void cancel() {
                cancelled = true;
            }
        }

        @Override
        public synchronized long wallMillis() {
            return WALL_MILLIS + nanos / 1_000_000;
        }

        @Override
        public synchronized long nanos() {
            return nanos;
        }

        @Override
        public synchronized Timer schedule(long delayNanos, Runnable task) {
            Planned timer = new Planned(nanos + Math.max(0, delayNanos), task);
            planned.add(timer);
            return timer;
        }

        /** Moves the time; {@link #due} are to be run by whoever moved it. */
        public synchronized void advance(Duration time) {
            nanos += time.toNanos();
        }

        /** Moves the time, and runs what has become due. */
        public void pass(Duration time) {
            advance(time);
            for (Runnable task = due(); task != null; task = due()) {
                task.run();
            }
        }

        /** A task whose time has come, forgotten by the clock; null for none. */
        public synchronized @Nullable Runnable due() {
            for (Planned timer : planned) {
                if (timer.atNanos <= nanos) {
                    planned.remove(timer);
                    return timer.cancelled ? () -> {} : timer.task;
                }
            }
            return null;
        }
    }

    /** Questions that were not answered yet. */
    public static final class Later {
        private final Deque<Open> open = new ArrayDeque<>();

        private record Open(Runnable answer, Runnable fail) {}

        public synchronized void add(Runnable answer, Runnable fail) {
            open.add(new Open(answer, fail));
        }

        private synchronized @Nullable Open poll() {
            return open.poll();
        }

        /** What answers the oldest; to be run outside, for it is not one step. */
        public Runnable answer() {
            Open oldest = poll();
            return oldest == null ? () -> {} : oldest.answer();
        }

        /** What fails the oldest. */
        public Runnable failure() {
            Open oldest = poll();
            return oldest == null ? () -> {} : oldest.fail();
        }

        synchronized boolean isEmpty() {
            return open.isEmpty();
        }
    }

    /** Not AssertJ's: the checker calls {@code equals} of what the models touch, which an assertion object refuses. */
    public static void expect(boolean condition, String expected) {
        if (!condition) {
            throw new AssertionError("not so: " + expected);
        }
    }

    /** Runs what the checker need not watch, which makes it many times as fast: what goes before and after the threads. */
    public static void unwatched(Runnable task) {
        task.run();
    }

    /** Answers all, and runs all timers of this time, until nothing happens any more. */
    public static void settle(Clock clock, Later later) {
        for (int step = 0; step < 1000; step++) {
            Runnable timer = clock.due();
            if (timer != null) {
                timer.run();
            } else if (later.isEmpty()) {
                return;
            } else {
                later.answer().run();
            }
        }
        throw new AssertionError("it never comes to rest");
    }
}
