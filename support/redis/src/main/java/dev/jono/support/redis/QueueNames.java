package dev.jono.support.redis;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The names of queues, found by the keys of those that hold something: a {@code SCAN} over all keys of the database, as
 * Redis keeps no list. It does not block Redis, and takes long where there are millions of other keys.
 */
final class QueueNames {
    private static final long PAGE = 1000;

    private QueueNames() {}

    /** The names behind this beginning of a key, as Jono shows them, sorted. */
    static CompletionStage<List<String>> find(RedisLink link, String beginning) {
        String all = link.keys().prefix() + beginning;
        ScanArgs args = ScanArgs.Builder.matches(escaped(all) + '*').limit(PAGE);
        return scan(link, args, ScanCursor.INITIAL, all.length(), new TreeSet<>());
    }

    private static CompletableFuture<List<String>> scan(
            RedisLink link, ScanArgs args, ScanCursor cursor, int from, Set<String> found) {
        return link.<KeyScanCursor<byte[]>>call("listing queues", null, false, commands -> commands.scan(cursor, args))
                .thenCompose(page -> {
                    for (byte[] key : page.getKeys()) {
                        String name = new String(key, StandardCharsets.UTF_8).substring(from);
                        found.add(link.keys().shown(name));
                    }
                    return page.isFinished()
                            ? CompletableFuture.completedFuture(List.copyOf(found))
                            : scan(link, args, page, from, found);
                });
    }

    private static String escaped(String glob) {
        return glob.replaceAll("([\\\\*?\\[\\]^])", "\\\\$1");
    }
}
