package dev.jono.support.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One command. It is sent again, until the timeout, while Redis has certainly changed nothing and may soon be able to execute
 * it. Runs on the caller's thread, then on threads of the connection.
 */
final class RetriedCommand<T> {
    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long LONGEST_PAUSE_MILLIS = 200;
    /** Answers of a server that is busy, or of a Cluster that is recovering. */
    private static final Set<String> TRANSIENT = Set.of("BUSY", "CLUSTERDOWN", "TRYAGAIN");

    /** Answers of a Cluster to a connection that does not follow redirections. */
    private static final Set<String> REDIRECTED = Set.of("MOVED", "ASK");

    /** Answers of a server that is a replica, becomes one, or starts: another server may be the primary. */
    private static final Set<String> NOT_PRIMARY = Set.of("READONLY", "MASTERDOWN", "LOADING");

    private final SharedConnection connection;
    private final String step;
    private final @Nullable String queue;
    private final boolean mutating;
    private final Function<RedisClusterAsyncCommands<byte[], byte[]>, ? extends CompletionStage<T>> command;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private long deadlineNanos;
    private long pauseMillis;
    private int generation;

    RetriedCommand(
            SharedConnection connection,
            String step,
            @Nullable String queue,
            boolean mutating,
            Function<RedisClusterAsyncCommands<byte[], byte[]>, ? extends CompletionStage<T>> command) {
        this.connection = connection;
        this.step = step;
        this.queue = queue;
        this.mutating = mutating;
        this.command = command;
    }

    CompletableFuture<T> start() {
        send();
        return result;
    }

    private void send() {
        connection.removeWaiting(this);
        if (connection.closed()) {
            abandon();
            return;
        }
        if (connection.reconnector().quitting()) {
            failed(new RedisConnectionException("the connection is being reopened"));
            return;
        }
        generation = connection.reconnector().generation();
        CompletionStage<T> reply;
        try {
            reply = command.apply(connection.commands());
        } catch (RuntimeException failure) {
            // For example because the client's threads are being shut down.
            result.completeExceptionally(
                    connection.closed()
                            ? RedisErrors.closed(step, queue, connection, failure)
                            : RedisErrors.translate(step, queue, false, failure));
            return;
        }
        reply.whenComplete((answer, failure) -> {
            if (failure == null) {
                if (mutating) {
                    connection.reconnector().primaryConfirmed();
                }
                result.complete(answer);
            } else {
                failed(failure);
            }
        });
    }

    /** Fails the command, which is not sent: the connection is closed. */
    void abandon() {
        result.completeExceptionally(RedisErrors.closed(step, queue, connection, null));
    }

    private void failed(Throwable failure) {
        Throwable cause = RedisErrors.unwrap(failure);
        if (connection.closed() && RedisErrors.neverSent(cause)) {
            result.completeExceptionally(RedisErrors.closed(step, queue, connection, cause));
            return;
        }
        if (!isTransient(RedisErrors.unwrap(failure)) || !retryLater()) {
            result.completeExceptionally(RedisErrors.translate(step, queue, mutating, failure));
        }
    }

    private boolean isTransient(Throwable failure) {
        if (failure instanceof RedisCommandExecutionException) {
            String code = RedisErrors.code(failure);
            if (NOT_PRIMARY.contains(code)) {
                if (connection.cluster()) {
                    connection.refresh();
                } else {
                    connection.reconnector().notPrimary(code, generation);
                }
                return true;
            }
            if (connection.cluster() && REDIRECTED.contains(code)) {
                connection.refresh();
                return true;
            }
            return TRANSIENT.contains(code);
        }
        return (RedisErrors.neverSent(failure) && !"Connection is closed".equals(failure.getMessage()))
                || (!mutating && RedisErrors.cutOff(failure));
    }

    private boolean retryLater() {
        long now = connection.clock().nanos();
        if (pauseMillis == 0) {
            pauseMillis = FIRST_PAUSE_MILLIS;
            deadlineNanos = now + connection.options().timeout().toNanos();
        } else {
            pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
        }
        if (now + TimeUnit.MILLISECONDS.toNanos(pauseMillis) - deadlineNanos > 0) {
            return false;
        }
        connection.addWaiting(this);
        try {
            connection
                    .client()
                    .getResources()
                    .eventExecutorGroup()
                    .schedule(this::send, pauseMillis, TimeUnit.MILLISECONDS);
            return true;
        } catch (RejectedExecutionException closing) {
            connection.removeWaiting(this);
            return false;
        }
    }
}
