package dev.jono.support.redis;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Finds the names of queues by their keys: a {@code SCAN} over all keys of the database, because Redis keeps no list. It does
 * not block Redis, but takes long in a database with millions of other keys.
 */
public final class KeyScan {
    private static final long PAGE = 1000;

    private final RedisLink link;
    private final String keyStart;
    private final ScanArgs args;
    private final Set<String> names = new TreeSet<>();

    private KeyScan(RedisLink link, String keyStart) {
        this.link = link;
        this.keyStart = link.keys().prefix() + keyStart;
        this.args = ScanArgs.Builder.matches(RedisKeys.bytes(escaped(this.keyStart) + '*'))
                .limit(PAGE);
    }

    /** The names after this beginning of a key, as Jono shows them, sorted. */
    public static CompletableFuture<Set<String>> names(RedisLink link, String keyStart) {
        return new KeyScan(link, keyStart).from(ScanCursor.INITIAL);
    }

    private CompletableFuture<Set<String>> from(ScanCursor cursor) {
        return link.<KeyScanCursor<byte[]>>call("list queues", null, false, commands -> commands.scan(cursor, args))
                .thenCompose(page -> {
                    page.getKeys().forEach(this::add);
                    return page.isFinished() ? CompletableFuture.completedFuture(names) : from(page);
                });
    }

    private void add(byte[] key) {
        String stored = new String(key, StandardCharsets.UTF_8).substring(keyStart.length());
        if (!stored.isEmpty()) {
            names.add(link.keys().shown(stored));
        }
    }

    /** A text that a pattern of Redis matches literally. */
    private static String escaped(String text) {
        return text.replaceAll("([\\\\*?\\[\\]^])", "\\\\$1");
    }
}
