package dev.jono.support.mongo.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import dev.jono.Headers;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.DeleteRequest;
import dev.jono.spi.DeleteResult;
import dev.jono.spi.NewMessage;
import dev.jono.spi.QueueSpec;
import dev.jono.spi.QueueStore;
import dev.jono.support.mongo.MongoStorage;
import dev.jono.testkit.PluginConfigs;
import dev.jono.testkit.RawBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Three processes use a queue that was empty when one of them began to delete it. Another one stores two messages, and
 * the third one pops them with two commands: it marks them before the deletion renames the collection, and then removes
 * them from a collection that does not have that name any more. Used by one test.
 */
public final class DeletionRace implements AutoCloseable {
    private static final long LIMIT_SECONDS = 30;

    private final CommandHooks deleterHooks = new CommandHooks();
    private final CommandHooks takerHooks = new CommandHooks();
    private final List<Runnable> closing = new ArrayList<>();
    private final MongoDatabase database;
    private final boolean keyed;
    private final QueueStore deleter;
    private final QueueStore taker;
    private final QueueStore producer;

    /**
     * Opens a backend for each process, and the database again for the test.
     *
     * @param provider opens the backends
     * @param options its options, with {@code jono.one-database=true}
     * @param spec the queue; if it is keyed, each message has a key of its own
     * @param uri the URI of the database
     */
    public DeletionRace(BackendProvider provider, String options, QueueSpec spec, String uri) {
        String name = uri.replaceAll(".*/|\\?.*", "");
        this.deleter = open(provider, options, spec, deleterHooks.client(uri), name);
        this.taker = open(provider, options, spec, takerHooks.client(uri), name);
        MongoClient client = new CommandHooks().client(uri);
        this.producer = open(provider, options, spec, client, name);
        this.keyed = spec.maxPerKey() > 0;
        this.database = client.getDatabase(name);
    }

    private QueueStore open(
            BackendProvider provider, String options, QueueSpec spec, MongoClient client, String database) {
        closing.add(client::close);
        Backend backend = provider.open(PluginConfigs.builder(provider.type() + ":?" + options)
                .storage(MongoStorage.of(client, database))
                .build());
        closing.add(0, backend::close);
        return backend.queue(spec);
    }

    /**
     * Runs the race, and checks that each message is handed out once and that none has to wait for the end of a lease.
     *
     * @param again whether a third message creates the queue again before the two come back
     */
    public void run(boolean again) {
        insert("first");
        assertThat(take(taker)).containsExactly("first");
        List<String> got = new ArrayList<>();
        CompletableFuture<Void> marked = new CompletableFuture<>();
        CompletableFuture<Void> renamed = new CompletableFuture<>();
        deleterHooks.after("aggregate", () -> {
            insert("a");
            insert("b");
            takerHooks.after("update", () -> {
                marked.complete(null);
                await(renamed);
            });
            CompletableFuture<List<String>> take = CompletableFuture.supplyAsync(() -> take(taker));
            await(marked);
            deleterHooks.after("renameCollection", () -> {
                renamed.complete(null);
                got.addAll(await(take));
                if (again) {
                    insert("c");
                }
            });
        });
        DeleteResult result =
                RawBackend.got(deleter.delete(DeleteRequest.builder().build()));
        assertThat(deleterHooks.done() && takerHooks.done())
                .as("the race was run")
                .isTrue();
        assertThat(result.deleted()).isFalse();
        got.addAll(take(producer));
        assertThat(got).containsExactlyInAnyOrderElementsOf(again ? List.of("a", "b", "c") : List.of("a", "b"));
        assertThat(RawBackend.got(deleter.delete(DeleteRequest.builder().build()))
                        .deleted())
                .isTrue();
        assertThat(database.listCollectionNames()).noneMatch(collection -> collection.startsWith("orders"));
    }

    private void insert(String text) {
        NewMessage message = NewMessage.builder()
                .payload(RawBackend.message(text).payload())
                .headers(keyed ? Headers.fromStored(Map.of(Headers.KEY, "key-" + text)) : Headers.empty())
                .build();
        RawBackend.got(producer.insert(RawBackend.inserting(message)));
    }

    private static List<String> take(QueueStore store) {
        return RawBackend.got(store.take(RawBackend.claiming(5))).messages().stream()
                .map(message -> message.payload().text())
                .toList();
    }

    private static <R> R await(CompletableFuture<R> step) {
        return step.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }

    /** Drops the database. */
    @Override
    public void close() {
        database.drop();
        closing.forEach(Runnable::run);
    }
}
