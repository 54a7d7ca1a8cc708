package dev.jono.backend.sqlite;

import dev.jono.JonoClock;
import dev.jono.JonoException;
import dev.jono.StorageException;
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
 * The one thread of this process that writes to a file. It runs all commands that are pending as one transaction, so
 * that they share one wait for the disk; what comes meanwhile is the next transaction. When one of them fails, the
 * transaction is undone, the others run again together, and the guilty one runs alone.
 */
final class Writer implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);

    /** Bounds of a transaction, so that it stays short: messages, and the time after which no command is added. */
    private static final int MAX_WEIGHT = 2000;

    private static final long MAX_TRANSACTION_NANOS = TimeUnit.MILLISECONDS.toNanos(4);
    /** How long the turn is kept while there is more to do. */
    private static final long MAX_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final CommandInbox inbox = new CommandInbox();
    private final Deque<Command<?>> backlog = new ArrayDeque<>();
    private final SharedFile file;
    private final FilePresence presence;
    private final DiskReserve reserve;
    private final SqliteConnection connection;
    private final WriteTurn turn;
    private final Housekeeping housekeeping;
    private final SignalHub signals;
    private final SqliteErrors errors;
    private final JonoClock clock;
    private final BackgroundThread thread;
    private volatile boolean stopping;
    /** Whether commits are to wait for the disk from now on, though they did not so far. */
    private volatile boolean syncRequired;

    /** Whether all space was made that there is to make, and nothing was stored since. */
    private boolean spaceFreed;

    private long turnSinceNanos;

    Writer(SharedFile file, SqliteConnection connection, WriteTurn turn, Housekeeping housekeeping, JonoClock clock) {
        this.file = file;
        this.presence = file.presence();
        this.reserve = new DiskReserve(file.path());
        this.connection = connection;
        this.turn = turn;
        this.housekeeping = housekeeping;
        this.signals = file.signals();
        this.errors = file.errors();
        this.clock = clock;
        this.thread = new BackgroundThread("jono-sqlite-writer " + file.path().getFileName(), this);
    }

    void start() {
        thread.start();
    }

    /** Has something done in the next transaction. The stage completes on the writer's thread, once it is stored. */
    <R> CompletionStage<R> submit(int weight, Command.Work<R> work) {
        Command<R> command = new Command<>(weight, work);
        if (!inbox.put(command)) {
            return CompletableFuture.failedFuture(errors.unusable(presence));
        }
        return command.future;
    }

    /** Lets every commit wait for the disk, those of commands submitted from now on included. */
    void requireSync() {
        syncRequired = true;
    }

    /** Returns when what was submitted before is done, well or badly; at once when called by the writer itself. */
    void flush() {
        if (!thread.isCurrent()) {
            submit(0, Command.work(tx -> {}))
                    .toCompletableFuture()
                    .exceptionally(e -> null)
                    .join();
        }
    }

    /** Does what is pending, then ends; returns when it has ended, unless called by the writer itself. */
    void stop() {
        stopping = true;
        // Something in the inbox, and not a mere call to wake: the writer may be about to fall asleep.
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
                    LOG.error("the writer of a SQLite file failed at something that no caller waits for", e);
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

    /** The file is gone: everything that is pending fails, and all that comes. */
    private void failPending() {
        file.forget();
        do {
            drainInbox();
            failAll(backlog, errors.unusable(presence));
            backlog.clear();
        } while (!inbox.close());
    }

    private void drainInbox() {
        for (Command<?> at = inbox.drain(); at != null; ) {
            Command<?> next = at.link;
            at.link = null;
            backlog.add(at);
            at = next;
        }
    }

    private void runOnce() {
        drainInbox();
        boolean idle = backlog.isEmpty();
        if (!idle) {
            runTransaction();
        }
        boolean kept = presence.loss() == null && housekeeping.runIfDue(idle, this::runInternal);
        if (idle && !kept) {
            turn.release();
            if (!stopping) {
                inbox.awaitCommand();
            }
        }
    }

    /** Runs one command that nobody waits for. */
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
        String lost = tx.begun() ? presence.checkIfStale() : null;
        if (lost != null) {
            failAll(done, errors.lostAfterCommit(lost));
            return;
        }
        spaceFreed &= !tx.begun();
        // It is stored. Waking the callers takes as long as telling the other processes, so both go on at once.
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

    /** Runs commands until the bounds are met. The last one of the list is the one that failed, if one does. */
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

    /** Something failed before the commit: in the last command, or in what they share. */
    private void handleRunFailure(Transaction tx, List<Command<?>> done, Throwable failure) {
        if (done.isEmpty()) {
            // The turn did not come, so nothing that is pending can be done.
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
        Command<?> guilty = done.get(done.size() - 1);
        if (done.size() == 1 && !(failure instanceof Command.ShortcutFailedException)) {
            guilty.fail(translated(failure));
            return;
        }
        if (!(failure instanceof Command.ShortcutFailedException)) {
            guilty.runsAlone = true;
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
        // A full disk, say: some of them may still fit.
        done.forEach(command -> command.runsAlone = true);
        requeue(done);
    }

    /** On a full disk, makes space for what is no new message; true when another try is worth it. */
    private boolean freeSpace(SQLException failure) {
        if (spaceFreed || !SqliteErrors.isFull(failure)) {
            return false;
        }
        spaceFreed = true;
        reserve.release();
        try {
            // The log is used from its start again, once all of it is in the database.
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
