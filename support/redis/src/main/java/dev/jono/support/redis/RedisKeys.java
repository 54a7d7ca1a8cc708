package dev.jono.support.redis;

import dev.jono.ConfigurationException;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of keys and channels. All begin with the prefix of the connection. Without a Cluster a queue has the same name in
 * Redis as in Jono. On a Cluster all keys of a queue must be in one slot, so Redis stores a queue whose name has no hash tag as
 * <code>{name}</code>. Immutable.
 */
public final class RedisKeys {
    /** A text with a hash tag: the first opening brace, at least one character, and the first closing brace after it. */
    private static final Pattern HASH_TAGGED = Pattern.compile("[^{]*\\{[^}]+\\}.*");

    private final String prefix;
    private final boolean addsHashTags;

    RedisKeys(String prefix, boolean cluster) {
        if (cluster && prefix.indexOf('{') >= 0 && !HASH_TAGGED.matcher(prefix).matches()) {
            throw new ConfigurationException("jono.prefix=" + prefix + " breaks the hash tags of a Cluster:"
                    + " use a complete tag, such as {shop}:, or none");
        }
        this.prefix = prefix;
        this.addsHashTags = cluster && !HASH_TAGGED.matcher(prefix).matches();
    }

    /** The name of a queue in Redis and for keuss: in keys, channels and stats. */
    public String stored(String queue) {
        return addsHashTags && !HASH_TAGGED.matcher(queue).matches() ? '{' + queue + '}' : queue;
    }

    /** The name in Jono of a queue with this name in Redis. */
    public String shown(String stored) {
        if (!addsHashTags
                || stored.length() < 3
                || stored.charAt(0) != '{'
                || stored.charAt(stored.length() - 1) != '}') {
            return stored;
        }
        String inside = stored.substring(1, stored.length() - 1);
        return stored(inside).equals(stored) ? inside : stored;
    }

    /** Why a queue cannot have this name on this server; null if it can. */
    public @Nullable String refuseName(String queue) {
        if (!addsHashTags) {
            return null;
        }
        if (!shown(queue).equals(queue)) {
            return "on a Cluster '" + shown(queue) + "' is stored as '" + queue + "': use the name without the braces";
        }
        return HASH_TAGGED.matcher(stored(queue)).matches()
                ? null
                : "on a Cluster a name must not begin with '}', which breaks its hash tag";
    }

    /** A key or channel: the prefix, followed by this text. */
    public byte[] key(String rest) {
        return bytes(prefix + rest);
    }

    /** The prefix of all keys. */
    public String prefix() {
        return prefix;
    }

    /** The channel on which the inserts and pauses of a queue are published. */
    public byte[] signals(String namespace, String queue) {
        return key("keuss:signal:" + namespace + ':' + stored(queue));
    }

    /** The key of the hash with the counters and the paused flag of a queue. */
    public byte[] stats(String namespace, String queue) {
        return key("keuss:stats:" + namespace + ':' + stored(queue));
    }

    /** The hash tag, with its braces, that puts a key into the slot of a queue's keys; empty where none is needed. */
    public String hashTag(String queue) {
        String stored = stored(queue);
        int from = stored.indexOf('{');
        return addsHashTags ? stored.substring(from, stored.indexOf('}', from) + 1) : "";
    }

    /** The Cluster slot of a queue's keys. */
    public int slot(String queue) {
        return SlotHash.getSlot(key(stored(queue)));
    }

    /** A text as bytes for Redis. */
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A number as bytes for Redis. */
    public static byte[] bytes(long number) {
        return Long.toString(number).getBytes(StandardCharsets.ISO_8859_1);
    }
}
