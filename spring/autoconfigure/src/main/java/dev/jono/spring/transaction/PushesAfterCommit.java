package dev.jono.spring.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The pushes of a transaction. They are started in their order, so that they can share calls to the storage, and then awaited. Used on the
 * thread of the transaction.
 */
final class PushesAfterCommit implements TransactionSynchronization {
    private final List<Supplier<CompletableFuture<?>>> pushes = new ArrayList<>();

    private PushesAfterCommit() {}

    /** Those of the current transaction. */
    static PushesAfterCommit ofTransaction() {
        return TransactionSynchronizationManager.getSynchronizations().stream()
                .filter(PushesAfterCommit.class::isInstance)
                .map(PushesAfterCommit.class::cast)
                .findFirst()
                .orElseGet(PushesAfterCommit::register);
    }

    private static PushesAfterCommit register() {
        PushesAfterCommit made = new PushesAfterCommit();
        TransactionSynchronizationManager.registerSynchronization(made);
        return made;
    }

    void add(Supplier<CompletableFuture<?>> push) {
        pushes.add(push);
    }

    /** A failure reaches the caller that has committed, although the transaction is committed. */
    @Override
    public void afterCommit() {
        CompletableFuture<?>[] sent = pushes.stream().map(Supplier::get).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(sent).join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
    }
}
