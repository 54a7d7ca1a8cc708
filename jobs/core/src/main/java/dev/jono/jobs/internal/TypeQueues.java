package dev.jono.jobs.internal;

import dev.jono.BrowsedMessage;
import dev.jono.Codec;
import dev.jono.DeadLetter;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.RemoveOutcome;
import dev.jono.jobs.JobPriority;
import dev.jono.jobs.JobType;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The queues of one type of jobs: its lanes, and one for failed jobs. Their names share a part in braces, so they are in
 * one slot of a Redis Cluster. Thread-safe.
 */
final class TypeQueues {
    private static final Pattern NAME = Pattern.compile("\\{jobs:([^}]+)}:[a-z]+");
    private static final QueueOptions FAILED =
            QueueOptions.builder().deadLetter(DeadLetter.never()).build();

    private final String type;
    private final Map<Lane, MessageQueue<EncodedPayload>> waiting = new EnumMap<>(Lane.class);
    private final MessageQueue<EncodedPayload> failed;

    TypeQueues(QueueFactory jono, String type) {
        this.type = type;
        for (Lane lane : Lane.values()) {
            waiting.put(lane, jono.queue(lane.queue(type), Codec.raw(), options(type)));
        }
        this.failed = jono.queue(failedName(type), Codec.raw(), FAILED);
    }

    /** The message of a job, with its queue. */
    record Found(MessageQueue<EncodedPayload> queue, Lane lane, BrowsedMessage<EncodedPayload> message) {
        JobPriority priority() {
            return lane.priority();
        }
    }

    static String failedName(String type) {
        return "{jobs:" + type + "}:failed";
    }

    /** The name of the type that a queue belongs to; empty if the queue is none of jobs. */
    static Optional<String> typeOf(String queue) {
        Matcher name = NAME.matcher(queue);
        return name.matches() ? Optional.of(name.group(1)) : Optional.empty();
    }

    /**
     * The options of a queue of waiting jobs. The runner counts the attempts, so that a job does not reach the dead letters without a
     * record.
     */
    private static QueueOptions options(String type) {
        return builder(type).build();
    }

    private static QueueOptions.Builder builder(String type) {
        return QueueOptions.builder().deadLetter(DeadLetter.never().queue(failedName(type)));
    }

    /** A queue of waiting jobs, for enqueues and runners. */
    static <T> MessageQueue<T> open(QueueFactory jono, JobType<?, ?> type, Lane lane, Codec<T> codec) {
        QueueOptions.Builder options = builder(type.name()).backoff(type.backoff());
        return jono.queue(
                lane.queue(type.name()),
                codec,
                withKeys(options, lane, type.limitPerKey()).build());
    }

    /** A queue of waiting jobs, for enqueues of encoded payloads. */
    static MessageQueue<EncodedPayload> open(QueueFactory jono, String type, Lane lane, int limitPerKey) {
        return jono.queue(
                lane.queue(type),
                Codec.raw(),
                withKeys(builder(type), lane, limitPerKey).build());
    }

    private static QueueOptions.Builder withKeys(QueueOptions.Builder options, Lane lane, int limitPerKey) {
        return lane == Lane.KEYED ? options.keyed(limitPerKey) : options;
    }

    /** A queue of waiting jobs, for all but runners. */
    MessageQueue<EncodedPayload> waiting(Lane lane) {
        return Objects.requireNonNull(waiting.get(lane));
    }

    /** The queues of waiting jobs. */
    Collection<MessageQueue<EncodedPayload>> all() {
        return waiting.values();
    }

    MessageQueue<EncodedPayload> failed() {
        return failed;
    }

    /** Finds the message of a job that waits or runs. It may move between two queues during a look: then the second look finds it. */
    Optional<Found> find(String messageId) {
        return look(messageId).or(() -> look(messageId));
    }

    private Optional<Found> look(String messageId) {
        for (Map.Entry<Lane, MessageQueue<EncodedPayload>> each : waiting.entrySet()) {
            Optional<BrowsedMessage<EncodedPayload>> message = each.getValue().get(messageId);
            if (message.isPresent()) {
                return Optional.of(new Found(each.getValue(), each.getKey(), message.get()));
            }
        }
        return Optional.empty();
    }

    /** What became of a message that was to be removed. */
    record Removal(Found found, RemoveOutcome outcome) {}

    /** Removes the message of a job, unless a runner has it, also if it moves meanwhile; empty if there is none. */
    Optional<Removal> remove(String messageId) {
        return removeFound(messageId).or(() -> removeFound(messageId));
    }

    private Optional<Removal> removeFound(String messageId) {
        return find(messageId)
                .map(found -> new Removal(found, found.queue().remove(messageId)))
                .filter(removal -> removal.outcome() != RemoveOutcome.ABSENT);
    }

    @Override
    public String toString() {
        return "queues of job type " + type;
    }
}
