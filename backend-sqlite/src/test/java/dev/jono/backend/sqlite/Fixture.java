package dev.jono.backend.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.EncodedPayload;
import dev.jono.JonoClock;
import dev.jono.PayloadKind;
import dev.jono.spi.Backend;
import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.CountsRequest;
import dev.jono.spi.CountsResult;
import dev.jono.spi.InsertRequest;
import dev.jono.spi.InsertResult;
import dev.jono.spi.NewMessage;
import dev.jono.spi.PluginConfig;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.spi.Receipt;
import dev.jono.spi.SettleRequest;
import dev.jono.spi.SettleResult.Outcome;
import dev.jono.spi.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Helper methods for the tests of this module. */
final class Fixture {
    static final ExecutorService EXECUTOR = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "test-reader");
        thread.setDaemon(true);
        return thread;
    });

    private Fixture() {}

    static PluginConfig config(String url, JonoClock clock) {
        return PluginConfig.builder()
                .url(ConnectionUrl.parse(url))
                .clock(clock)
                .executor(EXECUTOR)
                .build();
    }

    static Backend open(Path file) {
        return open(file, "");
    }

    static Backend open(Path file, String options) {
        return open(file, options, JonoClock.system());
    }

    static Backend open(Path file, String options, JonoClock clock) {
        return new SqliteBackendProvider().open(config("sqlite:" + file + options, clock));
    }

    static SharedFile file(Backend backend) {
        return ((FileHandle) Objects.requireNonNull(backend.storage())).file();
    }

    static QueueStore queue(Backend backend, String name) {
        return backend.queue(QueueSpec.builder().name(name).build());
    }

    static <R> R got(CompletionStage<R> stage) {
        return CompletableFuture.completedFuture(0)
                .thenCompose(start -> stage)
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    /** The exception of a failed stage. */
    static Throwable failure(CompletionStage<?> stage) {
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        stage.whenComplete((result, thrown) ->
                failure.complete(thrown == null ? new AssertionError("expected a failure, got " + result) : thrown));
        return failure.orTimeout(60, TimeUnit.SECONDS).join();
    }

    static NewMessage message(String text) {
        return NewMessage.builder()
                .payload(EncodedPayload.of(PayloadKind.STRING, text.getBytes(StandardCharsets.UTF_8)))
                .build();
    }

    static InsertRequest inserting(String... texts) {
        return InsertRequest.builder()
                .messages(Arrays.stream(texts).map(Fixture::message).toList())
                .token("t")
                .announce(true)
                .build();
    }

    static List<String> insert(QueueStore queue, String... texts) {
        List<String> ids = new ArrayList<>();
        for (InsertResult.Item item : got(queue.insert(inserting(texts))).items()) {
            ids.add(Objects.requireNonNull(item.id()));
        }
        return ids;
    }

    static ClaimRequest.Builder claiming(int max) {
        return ClaimRequest.builder().max(max).leaseMillis(30_000).token("t");
    }

    static ClaimResult take(QueueStore queue, int max) {
        return got(queue.take(claiming(max).build()));
    }

    static List<StoredMessage> claim(QueueStore queue, int max) {
        return got(queue.claim(claiming(max).build())).messages();
    }

    static List<Receipt> receipts(List<StoredMessage> messages) {
        return messages.stream().map(m -> Objects.requireNonNull(m.receipt())).toList();
    }

    static List<Outcome> ack(QueueStore queue, List<Receipt> receipts) {
        return got(queue.ack(
                        SettleRequest.builder().receipts(receipts).token("t").build()))
                .outcomes();
    }

    static List<String> texts(List<StoredMessage> messages) {
        return messages.stream().map(m -> m.payload().text()).toList();
    }

    static CountsResult counts(QueueStore queue) {
        return got(queue.counts(CountsRequest.builder().history(true).build()));
    }

    static void assertReady(QueueStore queue, long ready) {
        assertThat(counts(queue).ready()).isEqualTo(ready);
    }

    /** Runs a statement of SQLite on a file that no backend has open. */
    static void sql(Path file, String statement) throws Exception {
        try (SqliteConnection connection = SqliteConnection.create(file)) {
            connection.executeOnce(statement);
        }
    }

    /** Runs a query of SQLite on a file, and returns the first value as text. */
    static String ask(Path file, String question) throws Exception {
        try (SqliteConnection connection = SqliteConnection.open(file, 1000)) {
            return connection.queryText(question);
        }
    }

    /** The names in a directory, sorted; empty if it does not exist. */
    static List<String> list(Path directory) {
        String[] names = directory.toFile().list();
        return names == null ? List.of() : Arrays.stream(names).sorted().toList();
    }
}
