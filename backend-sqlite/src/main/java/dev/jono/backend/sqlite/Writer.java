package dev.jono.backend.sqlite;

import dev.jono.JonoClock;
import dev.jono.JonoException;
import dev.jono.StorageException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of this process that writes to a file. It runs the pending commands as one transaction, so that they share
 * one wait for the disk; commands that arrive meanwhile form the next transaction. If a command fails, the transaction
 * is rolled back, the other commands run again together, and the failed one runs alone.
 *
 * <p>Any thread calls {@link #submit}, {@link #flush}, {@link #requireSync} and {@link #stop}; all other methods run on
 * the writer's thread. A command must never complete before its commit.
 */
final class Writer implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);

    /** The limits of a transaction: a number of messages, and a time after which no command is added. */
    private static final int MAX_WEIGHT = 2000;

    private static final long MAX_TRANSACTION_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
    /** How long the turn is kept while commands are pending. */
    private static final long MAX_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final CommandInbox inbox = new CommandInbox();
    private final Deque<Command<?>> backlog = new ArrayDeque<>();
    private final Path path;
    private final FilePresence presence;
    private final DiskReserve reserve;
    private final SqliteConnection connection;
    private final WriteTurn turn;
    private final Housekeeping housekeeping;
    private final SignalHub signals;
    private final SqliteErrors errors;
    private final JonoClock clock;
    private final Runnable onLoss;
    private final BackgroundThread thread;
    private volatile boolean stopping;
    /** Whether commits must wait for the disk from now on; cleared when the setting is in effect. */
    private volatile boolean syncRequired;

    /** Whether the reserved space was released, and no transaction was committed since. */
    private boolean spaceFreed;

    private long turnSinceNanos;

    /** The action {@code onLoss} runs on the writer's thread when the file is lost. */
    Writer(
            Path path,
            FileOpening opening,
            Housekeeping housekeeping,
            SignalHub signals,
            JonoClock clock,
            Runnable onLoss) {
        this.path = path;
        this.presence = opening.presence();
        this.reserve = new DiskReserve(path);
        this.connection = opening.connection();
        this.turn = opening.turn();
        this.housekeeping = housekeeping;
        this.signals = signals;
        this.errors = new SqliteErrors(path);
        this.clock = clock;
        this.onLoss = onLoss;
        this.thread = new BackgroundThread("jono-sqlite-writer " + path.getFileName(), this);
    }

    void start() {
        thread.start();
    }

    /** Runs work in one of the next transactions. The stage completes on the writer's thread, after the commit. */
    <R> CompletionStage<R> submit(int weight, Command.Work<R> work) {
        Command<R> command = new Command<>(weight, work);
        if (!inbox.put(command)) {
            return CompletableFuture.failedFuture(errors.unusable(presence));
        }
        return command.future;
    }

    /** Makes every commit wait for the disk, beginning with the commands that are submitted from now on. */
    void requireSync() {
        syncRequired = true;
    }

    /** Waits until the commands that were submitted before are complete. Returns at once on the writer's thread. */
    void flush() {
        if (!thread.isCurrent()) {
            submit(0, Command.work(tx -> {}))
                    .toCompletableFuture()
                    .exceptionally(e -> null)
                    .join();
        }
    }

    /** Ends the thread when the pending commands are complete, and waits for that, unless on the writer's thread. */
    void stop() {
        stopping = true;
        // A command, and not only a wake-up: the writer may be about to wait.
        inbox.put(new Command<>(0, Command.work(tx -> {})));
        thread.join();
    }

    @Override
    public void run() {
        try {
            while (presence.loss() == null && !(stopping && backlog.isEmpty() && inbox.close())) {
                try {
                    runOnce();
                } catch (RuntimeException | Error e) {
                    LOG.error("the writer of {} failed, outside of the commands of callers", path, e);
                }
            }
        } finally {
            turn.close();
            connection.close();
            if (presence.loss() == null) {
                reserve.refill();
            } else {
                failPending();
            }
        }
    }

    /** Fails all pending and further commands, because the file is lost. */
    private void failPending() {
        onLoss.run();
        do {
            drainInbox();
            failAll(backlog, errors.unusable(presence));
            backlog.clear();
        } while (!inbox.close());
    }

    private void drainInbox() {
        for (Command<?> command = inbox.drain(); command != null; ) {
            Command<?> next = command.link;
            command.link = null;
            backlog.add(command);
            command = next;
        }
    }

    private void runOnce() {
        drainInbox();
        boolean idle = backlog.isEmpty();
        if (!idle) {
            runTransaction();
        }
        boolean maintained = presence.loss() == null && housekeeping.runIfDue(idle, this::runInternal);
        if (idle && !maintained) {
            turn.release();
            if (!stopping) {
                inbox.awaitCommand();
            }
        }
    }

    /** Runs one action of the housekeeping. */
    private void runInternal(Command.Action action) {
        Command<?> command = new Command<>(1, Command.work(action));
        backlog.addFirst(command);
        runTransaction();
    }

    private void runTransaction() {
        if (presence.checkIfStale() != null) {
            return;
        }
        List<Command<?>> done = new ArrayList<>();
        Transaction tx = new Transaction(connection, reserve);
        try {
            acquireTurn();
            if (syncRequired) {
                connection.executeOnce("PRAGMA synchronous=FULL");
                syncRequired = false;
            }
            runCommands(tx, done);
            housekeeping.beforeCommit(tx);
        } catch (SQLException | RuntimeException | Error e) {
            tx.rollback();
            handleRunFailure(tx, done, e);
            return;
        }
        try {
            tx.commit();
        } catch (SQLException e) {
            tx.rollback();
            handleCommitFailure(done, e);
            return;
        }
        String loss = tx.begun() ? presence.checkIfStale() : null;
        if (loss != null) {
            failAll(done, errors.lostAfterCommit(loss));
            return;
        }
        spaceFreed &= !tx.begun();
        // The commands are stored. Callers that wake up and the signals to other processes overlap.
        for (Command<?> command : done) {
            command.succeed();
        }
        signals.publish(tx.announcements().entries());
        if (inbox.isEmpty() && backlog.isEmpty()) {
            turn.release();
        }
    }

    private void acquireTurn() {
        long now = clock.nanos();
        if (turn.isHeld() && now - turnSinceNanos > MAX_TURN_NANOS) {
            turn.release();
        }
        if (!turn.isHeld()) {
            turn.acquire();
            turnSinceNanos = clock.nanos();
        }
    }

    /** Runs commands up to the limits, and adds each to the list before it runs. */
    private void runCommands(Transaction tx, List<Command<?>> done) throws SQLException {
        long endNanos = clock.nanos() + MAX_TRANSACTION_NANOS;
        int weight = 0;
        do {
            Command<?> command = backlog.element();
            weight += command.weight;
            if (!done.isEmpty() && (command.runsAlone || weight > MAX_WEIGHT || clock.nanos() - endNanos > 0)) {
                return;
            }
            done.add(backlog.remove());
            command.run(tx);
            if (command.runsAlone) {
                return;
            }
        } while (!backlog.isEmpty());
    }

    /** Handles a failure before the commit: of the last command in the list, or of the transaction as a whole. */
    private void handleRunFailure(Transaction tx, List<Command<?>> done, Throwable failure) {
        if (done.isEmpty()) {
            // The turn could not be acquired, so no pending command can run.
            failAll(backlog, failure);
            backlog.clear();
            return;
        }
        if (presence.check() != null || (failure instanceof SQLException e && freeSpace(e))) {
            requeue(done);
            return;
        }
        if (tx.beginFailed()) {
            failAll(done, failure);
            return;
        }
        Command<?> failed = done.get(done.size() - 1);
        if (done.size() == 1 && !(failure instanceof Command.ShortcutFailedException)) {
            failed.fail(translated(failure));
            return;
        }
        if (!(failure instanceof Command.ShortcutFailedException)) {
            failed.runsAlone = true;
        }
        requeue(done);
    }

    private void handleCommitFailure(List<Command<?>> done, SQLException failure) {
        if (freeSpace(failure)) {
            requeue(done);
            return;
        }
        JonoException translated = errors.commitFailed(failure);
        if (done.size() == 1 || !(translated instanceof StorageException) || SqliteErrors.isBusy(failure)) {
            failAll(done, translated);
            return;
        }
        // For example on a full disk: some of the commands may still fit.
        done.forEach(command -> command.runsAlone = true);
        requeue(done);
    }

    /** On a full disk, releases the reserved space for takes and acks; true if the commands should run again. */
    private boolean freeSpace(SQLException failure) {
        if (spaceFreed || !SqliteErrors.isFull(failure)) {
            return false;
        }
        spaceFreed = true;
        reserve.release();
        try {
            // After a complete checkpoint SQLite writes the log from its start again.
            connection.queryText("PRAGMA wal_checkpoint(PASSIVE)");
        } catch (SQLException e) {
            LOG.debug("a checkpoint on a full disk failed", e);
        }
        return true;
    }

    private void requeue(List<Command<?>> done) {
        for (int i = done.size() - 1; i >= 0; i--) {
            backlog.addFirst(done.get(i));
        }
    }

    private void failAll(Iterable<Command<?>> commands, Throwable failure) {
        Throwable translated = translated(failure);
        commands.forEach(command -> command.fail(translated));
    }

    private Throwable translated(Throwable failure) {
        return failure instanceof SQLException e ? errors.notApplied(e) : failure;
    }
}
