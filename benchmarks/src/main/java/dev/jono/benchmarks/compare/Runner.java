package dev.jono.benchmarks.compare;

import dev.jono.JonoClock;
import dev.jono.benchmarks.Contender.Step;
import dev.jono.benchmarks.Spread;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lets all contestants do each work in turn, A B C A B C …, and keeps what came out. */
final class Runner {
    /** Rounds that are not counted: each finds anew how many messages a round wants, for JVMs begin cold. */
    private static final int WARM_UP_ROUNDS = 4;

    private static final int QUICK_WARM_UP_ROUNDS = 3;

    /** So often a contestant may have trouble with a work before it is left out of the rest. */
    private static final int TROUBLES = 2;

    private static final int FIRST_MESSAGES = 500;
    private static final int FIRST_ONE_BY_ONE = 100;
    private static final int LEAST_MESSAGES = 100;
    private static final int MOST_MESSAGES = 400_000;
    private static final Step[] TAKES = {Step.RESERVE_ACK, Step.POP};

    private final List<Session> sessions;
    private final int rounds;
    private final double seconds;
    private final double warmUpSeconds;
    private final boolean quick;
    private final Duration limit;
    private double learning;
    private final Map<String, Cell> cells = new LinkedHashMap<>();
    private final Map<String, Integer> sizes = new HashMap<>();

    /**
     * For these contestants.
     *
     * @param seconds about how long one step of a round is to take
     * @param warmUpSeconds the same of the rounds that are not counted
     * @param limit after which a step has hung
     * @param quick leaves out the pop of those that can reserve
     */
    Runner(List<Session> sessions, int rounds, double seconds, double warmUpSeconds, Duration limit, boolean quick) {
        this.quick = quick;
        this.warmUpSeconds = warmUpSeconds;
        this.sessions = sessions;
        this.rounds = rounds;
        this.seconds = seconds;
        this.limit = limit;
    }

    List<Cell> cells() {
        return List.copyOf(cells.values());
    }

    private Cell cell(Contestant who, String work) {
        return cells.computeIfAbsent(who.id() + " " + work, key -> new Cell(who, work));
    }

    /** One work, by all that can do it. */
    void run(Work work) throws InterruptedException {
        if (work.kind() == Work.Kind.BACKLOG) {
            for (Session session : sessions) {
                attempt(session, work, "push", () -> Backlog.run(session, work, rounds, seconds, limit, this::cell));
            }
            return;
        }
        List<Session> able = new ArrayList<>(
                sessions.stream().filter(session -> can(session.who, work)).toList());
        able.removeIf(session -> tooSlow(session, work));
        Map<Session, Integer> troubles = new HashMap<>();
        // One message at a time is not a matter of the compiler; the flow before a pace was.
        int warmUp = work.kind() == Work.Kind.BYTES || work.width() == 1 || work.kind() == Work.Kind.PACED
                ? 1
                : quick ? QUICK_WARM_UP_ROUNDS : WARM_UP_ROUNDS;
        int counted = work.kind() == Work.Kind.BYTES ? 1 : rounds;
        for (int round = 0; round < warmUp + counted; round++) {
            boolean counts = round >= warmUp;
            // The last warm-up round settles how large the counted ones are.
            learning = round < warmUp - 1 ? warmUpSeconds : seconds;
            for (Session session : List.copyOf(able)) {
                if (!attempt(session, work, "", () -> round(session, work, counts))
                        && troubles.merge(session, 1, Integer::sum) == TROUBLES) {
                    able.remove(session);
                }
            }
            System.err.printf(
                    "  %s, %s: %s%n",
                    Instant.ofEpochMilli(JonoClock.system().wallMillis()),
                    work.id(),
                    counts ? "round " + (round - warmUp + 1) : "warm-up");
        }
    }

    /** Whoever cannot keep the pace would only show how long its queue has grown. */
    private boolean tooSlow(Session session, Work work) {
        double flow = flow(session);
        if (work.kind() != Work.Kind.PACED || (work.rate() > 0 && (flow == 0 || flow > work.rate()))) {
            return false;
        }
        if (work.rate() < 0 && flow > 0) {
            return false;
        }
        cell(session.who, work.id())
                .trouble(flow == 0 ? "not run: there is no flow" : String.format("not run: its flow is %,.0f/s", flow));
        return true;
    }

    /** The median of the fastest flow, or 0. */
    private double flow(Session session) {
        Cell flow = cells.get(session.who.id() + " flow-1");
        return flow == null ? 0 : flow.spread("perSecond").map(Spread::median).orElse(0.0);
    }

    private static boolean can(Contestant who, Work work) {
        return switch (work.kind()) {
            case FLOW, PACED -> who.flow();
            case BYTES -> who.storage() != Storage.MEMORY && !who.driver().equals("bare");
            case STEPS ->
                work.width() == Driver.BEST
                        || work.width() == 1
                        || !who.driver().equals("bare");
            case BACKLOG -> true;
        };
    }

    private interface Part {
        void run() throws Exception;
    }

    /** Runs a part; what goes wrong is noted in the cells of the work, and the contestant begins anew. */
    private boolean attempt(Session session, Work work, String step, Part part) throws InterruptedException {
        try {
            part.run();
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            String what = e instanceof Peer.Late ? "hung: " + e.getMessage() : String.valueOf(e.getMessage());
            what = what.lines().findFirst().orElse("failed");
            System.err.printf("  %s: %s: %s%n", session.who.id(), work.id(), what);
            List<Cell> begun = cells.values().stream()
                    .filter(cell -> cell.who.equals(session.who)
                            && (cell.work.equals(work.id()) || cell.work.startsWith(work.id() + " ")))
                    .toList();
            if (begun.isEmpty()) {
                cell(session.who, step.isEmpty() ? work.id() : work.id() + " " + step)
                        .trouble(what);
            }
            for (Cell cell : begun) {
                cell.trouble(what);
            }
            try {
                session.restart();
            } catch (IOException again) {
                System.err.println(again);
            }
            return false;
        }
    }

    private int size(Session session, Work work) {
        int first = work.width() == 1 ? FIRST_ONE_BY_ONE : FIRST_MESSAGES;
        return sizes.getOrDefault(session.who.id() + " " + work.id(), first);
    }

    /** How many messages the next round has, after this one was so fast. */
    private void learn(Session session, Work work, double perSecond) {
        double wanted = Math.max(LEAST_MESSAGES, Math.min(MOST_MESSAGES, perSecond * learning));
        double unit = Math.pow(10, Math.floor(Math.log10(wanted)) - 1);
        sizes.put(session.who.id() + " " + work.id(), (int) (Math.floor(wanted / unit) * unit));
    }

    private void round(Session session, Work work, boolean counts) throws Exception {
        switch (work.kind()) {
            case STEPS -> steps(session, work, counts);
            case FLOW -> {
                int count = size(session, work);
                Outcome outcome = session.flow(count, work.bytes(), work.consumers(), 0, limit);
                session.number(count);
                keep(session, work.id(), outcome, counts);
                if (!counts) {
                    learn(session, work, outcome.perSecond());
                }
            }
            case PACED -> paced(session, work, counts);
            case BYTES -> bytes(session, work, counts);
            default -> throw new IllegalArgumentException(work.id());
        }
    }

    private void steps(Session session, Work work, boolean counts) throws Exception {
        int count = size(session, work);
        double slowest = Double.MAX_VALUE;
        for (Step take : TAKES) {
            if (!session.who.steps().contains(take)) {
                continue;
            }
            // The second time it only fills the queue, unless it is the only time.
            boolean fills = take == Step.POP && session.who.steps().size() > 1;
            if (fills && quick) {
                continue;
            }
            Outcome push = session.push(count, work.bytes(), fills ? Driver.BEST : work.width(), false, limit);
            Outcome taken = session.take(take, count, work.bytes(), work.width(), false, limit);
            session.number(count);
            if (!fills) {
                // What was pushed and did not come speaks against the push as well.
                push.checked(java.util.Objects.requireNonNull(taken.check()));
                keep(session, work.id() + " " + Step.PUSH.id(), push, counts);
                slowest = push.perSecond();
            }
            keep(session, work.id() + " " + take.id(), taken, counts);
            slowest = Math.min(slowest, taken.perSecond());
        }
        if (!counts) {
            learn(session, work, slowest);
        }
    }

    private void paced(Session session, Work work, boolean counts) throws Exception {
        double rate = work.rate() < 0 ? -work.rate() * flow(session) : work.rate();
        if (!counts) {
            // Warms up faster than the pace would: a JVM wants some ten thousand messages.
            rate = Math.max(rate, flow(session) / 3);
        }
        int count = (int) Math.max(20, rate * (counts ? 2 * seconds : warmUpSeconds));
        Outcome outcome = session.flow(count, work.bytes(), work.consumers(), rate, limit);
        session.number(count);
        keep(session, work.id(), outcome, counts);
    }

    private void bytes(Session session, Work work, boolean counts) throws Exception {
        int count = Math.max(1000, Math.min(20_000, sizes.getOrDefault(session.who.id() + " best", 1000)));
        Step take = session.who.steps().contains(Step.RESERVE_ACK) ? Step.RESERVE_ACK : Step.POP;
        boolean ours = session.who.ours();
        session.peers(1);
        long before = session.server().bytes();
        Outcome push = session.push(count, work.bytes(), Driver.BEST, ours, limit);
        long after = session.server().bytes();
        Outcome taken = session.take(take, count, work.bytes(), Driver.BEST, ours, limit);
        session.number(count);
        Outcome both = push.checked(java.util.Objects.requireNonNull(taken.check()))
                .with("storedBytesPerMessage", Math.max(0, after - before) / count);
        if (ours) {
            both.with("allocatedByPush", allocated(push)).with("allocatedByTake", allocated(taken));
        }
        keep(session, work.id(), both, counts);
    }

    private static long allocated(Outcome outcome) {
        return outcome.figures().get("allocatedBytes") instanceof Number all ? all.longValue() / outcome.count() : 0;
    }

    private void keep(Session session, String id, Outcome outcome, boolean counts) throws IOException {
        Cell cell = cell(session.who, id);
        if (counts) {
            cell.add(outcome);
        }
        Check check = outcome.check();
        if (check != null && !check.clean()) {
            throw new IOException(String.format("of %,d: %s", outcome.count(), check));
        }
    }
}
