package dev.jono.jobs.redis;

import dev.jono.jobs.spi.EntryChange;
import dev.jono.jobs.spi.EntryPage;
import dev.jono.jobs.spi.StoredEntry;
import dev.jono.support.redis.RedisKeys;
import dev.jono.support.redis.RedisLink;
import dev.jono.support.redis.Replies;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one kind: a hash, and a sorted set of their names, in one slot of a Cluster. Scripts read the entries together with
 * the time of the node that has them.
 */
final class Entries {
    private static final byte[] NONE = new byte[0];
    private static final byte[] MAX_BYTES = RedisKeys.bytes(Parts.MAX_BYTES);

    private final RedisLink link;
    private final byte[][] keys;

    Entries(RedisLink link, String kind) {
        this.link = link;
        String tag = "{entries:" + kind + "}";
        this.keys = new byte[][] {
            link.keys().key("jono:jobs:entry:" + tag), link.keys().key("jono:jobs:names:" + tag)
        };
    }

    /** From a change to a text that begins with its kind, as {@link Parts} expects. */
    static String id(EntryChange change) {
        return change.kind() + ':' + change.name();
    }

    static long size(EntryChange change) {
        String document = change.document();
        return document == null ? 0 : document.length();
    }

    CompletableFuture<List<Boolean>> change(List<EntryChange> changes) {
        List<byte[]> args = new ArrayList<>();
        for (EntryChange change : changes) {
            String document = change.document();
            args.add(RedisKeys.bytes(change.name()));
            args.add(optional(change.expected()));
            args.add(RedisKeys.bytes(change.version()));
            args.add(RedisKeys.bytes(document == null ? 0 : 1));
            args.add(optional(document));
        }
        return link.run(Scripts.CHANGE_ENTRIES, null, keys, args.toArray(byte[][]::new))
                .thenApply(answer ->
                        answer.stream().map(done -> Replies.number(done) == 1).toList());
    }

    private static byte[] optional(@Nullable String text) {
        return text == null ? NONE : RedisKeys.bytes(text);
    }

    /** Reads entries, in several calls if there are many. */
    CompletableFuture<EntryPage> read(List<String> names) {
        SortedSet<String> sorted = new TreeSet<>(EntryPage.NAME_ORDER);
        sorted.addAll(names);
        return read(List.copyOf(sorted), 0, new ArrayList<>());
    }

    private CompletableFuture<EntryPage> read(List<String> names, int from, List<StoredEntry> found) {
        List<String> some = names.subList(from, Math.min(names.size(), from + Parts.MAX_ITEMS));
        byte[][] args = some.stream().map(RedisKeys::bytes).toArray(byte[][]::new);
        return link.run(Scripts.READ_ENTRIES, null, keys, args).thenCompose(answer -> {
            List<?> texts = (List<?>) answer.get(1);
            for (int i = 0; i < some.size(); i++) {
                if (texts.get(i) != null) {
                    found.add(entry(some.get(i), Replies.text(texts.get(i))));
                }
            }
            int next = from + some.size();
            return next < names.size()
                    ? read(names, next, found)
                    : CompletableFuture.completedFuture(new EntryPage(Replies.number(answer.get(0)), found));
        });
    }

    private static StoredEntry entry(String name, String text) {
        int end = text.indexOf('\n');
        return new StoredEntry(name, text.substring(0, end), text.substring(end + 1));
    }

    CompletableFuture<EntryPage> list(String after, int max) {
        return list(after, max, new ArrayList<>());
    }

    private CompletableFuture<EntryPage> list(String after, int max, List<StoredEntry> found) {
        int missing = Math.min(max - found.size(), Parts.MAX_ITEMS);
        return link.run(Scripts.LIST_ENTRIES, null, keys, RedisKeys.bytes(after), RedisKeys.bytes(missing), MAX_BYTES)
                .thenCompose(answer -> {
                    for (int i = 2; i < answer.size(); i += 2) {
                        found.add(entry(Replies.text(answer.get(i)), Replies.text(answer.get(i + 1))));
                    }
                    String last = Replies.text(answer.get(1));
                    return last.isEmpty() || found.size() == max
                            ? CompletableFuture.completedFuture(new EntryPage(Replies.number(answer.get(0)), found))
                            : list(last, max, found);
                });
    }
}
