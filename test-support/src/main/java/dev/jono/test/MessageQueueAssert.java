package dev.jono.test;

import dev.jono.BrowsedMessage;
import dev.jono.Capability;
import dev.jono.Message;
import dev.jono.MessageQueue;
import dev.jono.QueueCounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ListAssert;

/**
 * Assertions about a queue. They read the storage, and take nothing.
 *
 * <p>Pushed messages are those that the queue holds, whether ready, scheduled, reserved or blocked, and those of its history. The {@code
 * memory} and {@code sqlite} storages of {@link JonoTest} keep all consumed messages in the history. On other storages, a message that
 * was consumed is not seen unless its queue has a history. Messages that were moved to another queue are not seen, dead letters
 * included: {@link JonoTester#deadLetters} returns those. The failure says which of this applies.
 *
 * @param <T> the type of the payloads
 */
public final class MessageQueueAssert<T> extends AbstractAssert<MessageQueueAssert<T>, MessageQueue<T>> {
    MessageQueueAssert(MessageQueue<T> actual) {
        super(actual, MessageQueueAssert.class);
        as("queue '%s'", actual.name());
    }

    /**
     * Messages with these payloads were pushed, and perhaps others.
     *
     * @param payloads compared by equals; a payload that stands twice must have been pushed twice
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final MessageQueueAssert<T> hasPushed(T... payloads) {
        List<T> missing = new ArrayList<>(List.of(payloads));
        List<T> pushed = pushedPayloads();
        pushed.forEach(missing::remove);
        if (!missing.isEmpty()) {
            failWithMessage(
                    "Expected pushes of%n  %s%nbut there were none of%n  %s%nFound were%n  %s%s",
                    List.of(payloads), missing, pushed, hint());
        }
        return this;
    }

    /** Messages with these payloads were pushed, and no others; in any order. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public final MessageQueueAssert<T> hasPushedOnly(T... payloads) {
        Assertions.assertThat(pushedPayloads())
                .as(descriptionText() + hint())
                .containsExactlyInAnyOrderElementsOf(List.of(payloads));
        return this;
    }

    /** No message was pushed. */
    public MessageQueueAssert<T> hasPushedNothing() {
        return hasPushedOnly();
    }

    /**
     * Assertions about the pushed messages, with headers and times: consumed ones first, in the order of their ends, then the others in the
     * order of their due times.
     */
    public ListAssert<Message<T>> pushed() {
        return Assertions.assertThat(messages()).as(descriptionText() + hint());
    }

    /** No message is ready, scheduled, reserved or blocked. */
    public MessageQueueAssert<T> isEmpty() {
        QueueCounts counts = actual.counts();
        if (counts.total() != 0) {
            failWithMessage("Expected an empty queue, but it has: %s", counts);
        }
        return this;
    }

    /** This many messages can be handed out now. */
    public MessageQueueAssert<T> hasReady(long expected) {
        Assertions.assertThat(actual.counts().ready())
                .as(descriptionText() + ": ready")
                .isEqualTo(expected);
        return this;
    }

    /** This many messages wait for their due time, retries included. */
    public MessageQueueAssert<T> hasScheduled(long expected) {
        Assertions.assertThat(actual.counts().scheduled())
                .as(descriptionText() + ": scheduled")
                .isEqualTo(expected);
        return this;
    }

    private List<T> pushedPayloads() {
        return messages().stream().map(Message::payload).toList();
    }

    private List<Message<T>> messages() {
        List<Message<T>> messages = new ArrayList<>();
        if (hasHistory()) {
            List<BrowsedMessage<T>> consumed = new ArrayList<>(actual.history(Integer.MAX_VALUE));
            Collections.reverse(consumed);
            messages.addAll(consumed);
        }
        messages.addAll(RawQueues.all(actual));
        return messages;
    }

    private boolean hasHistory() {
        return actual.capabilities().contains(Capability.HISTORY);
    }

    /** Where else a message can be. */
    private String hint() {
        return historyHint()
                + String.format(
                        "%nMoved messages are not seen; JonoTester.deadLetters() returns those that are dead letters.");
    }

    /** A queue does not say whether it keeps a history. An empty one is reason enough for the hint. */
    private String historyHint() {
        if (!hasHistory()) {
            return String.format(
                    "%nThe backend '%s' keeps no history, so consumed messages are not seen.", actual.backend());
        }
        return actual.historySize() > 0
                ? ""
                : String.format(
                        "%nThe history is empty. Consumed messages are seen only if the queue keeps a history: set"
                                + " QueueOptions.history, or jono.history in the URL of the storage.");
    }
}
