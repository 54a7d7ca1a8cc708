package dev.jono.internal.queue;

import dev.jono.Capability;
import dev.jono.Tx;
import dev.jono.internal.core.QueueCore;
import dev.jono.internal.wake.CommitWatch;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import java.util.List;

/**
 * The pushes of one queue that are part of a transaction of the application. They bypass the lanes: the storage is called on
 * the thread of the caller, once, and never after a failure. Thread-safe.
 */
final class TransactionPushes {
    private final QueueCore core;

    TransactionPushes(QueueCore core) {
        this.core = core;
    }

    /** Refuses what the backend cannot do. */
    void require() {
        core.context.require(Capability.TRANSACTION, "push in a transaction", core.name);
    }

    /**
     * Inserts messages. They are counted and announced when the transaction has committed.
     *
     * @return a result for each message
     */
    List<InsertResult.Item> insert(Tx tx, List<NewMessage> messages) {
        InsertResult answer = core.store.insertInto(
                tx,
                InsertRequest.builder()
                        .messages(messages)
                        .token(core.context.tokens.next())
                        .build());
        long earliest = Long.MAX_VALUE;
        long stored = 0;
        for (int i = 0; i < messages.size(); i++) {
            InsertResult.Item item = answer.items().get(i);
            if (item.failure() == null && !item.duplicate()) {
                earliest = Math.min(earliest, messages.get(i).due().resolve(answer.storageMillis()));
                stored++;
            }
        }
        if (stored > 0) {
            watch(tx, earliest, stored);
        }
        return answer.items();
    }

    private void watch(Tx tx, long dueMillis, long messages) {
        CommitWatch.Pushed pushed =
                new CommitWatch.Pushed(core.signals, core.pendingCounts, core.pollNanos(), dueMillis, messages);
        core.context.runConsequences(core.name, () -> core.commits.pushed(tx, pushed));
    }
}
