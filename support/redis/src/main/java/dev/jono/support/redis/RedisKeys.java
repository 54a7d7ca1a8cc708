package dev.jono.support.redis;

import dev.jono.ConfigurationException;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names of keys and channels. Everything begins with the prefix of the connection. On one node a queue is called in
 * Redis what it is called in Jono. On a Cluster all keys of a queue must be in one slot, so a queue whose name has no
 * hash tag is called <code>{name}</code> there.
 */
public final class RedisKeys {
    /** As Redis finds it: between the first brace and the first closing one behind it, not empty. */
    private static final Pattern HASH_TAGGED = Pattern.compile("[^{]*\\{[^}]+\\}.*");

    private final String prefix;
    private final boolean addsHashTags;

    RedisKeys(String prefix, boolean cluster) {
        if (cluster && prefix.indexOf('{') >= 0 && !HASH_TAGGED.matcher(prefix).matches()) {
            throw new ConfigurationException("jono.prefix=" + prefix + " spoils the hash tags of a Cluster:"
                    + " write a whole tag, such as {shop}:, or none");
        }
        this.prefix = prefix;
        this.addsHashTags = cluster && !HASH_TAGGED.matcher(prefix).matches();
    }

    /** What a queue is called in Redis: in keys, channels and stats, and for keuss. */
    public String stored(String queue) {
        return addsHashTags && !HASH_TAGGED.matcher(queue).matches() ? '{' + queue + '}' : queue;
    }

    /** What a queue that is called so in Redis is called in Jono. */
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

    /** A reason why a queue cannot have this name here; null if it can. */
    public @Nullable String refuseName(String queue) {
        if (!addsHashTags) {
            return null;
        }
        if (!shown(queue).equals(queue)) {
            return "on a Cluster '" + shown(queue) + "' is stored as '" + queue + "': write it without the braces";
        }
        return HASH_TAGGED.matcher(stored(queue)).matches()
                ? null
                : "on a Cluster a name must not begin with '}', which spoils its hash tag";
    }

    /** A key or a channel: the prefix, then this. */
    public byte[] key(String rest) {
        return bytes(prefix + rest);
    }

    /** The prefix of all keys. */
    public String prefix() {
        return prefix;
    }

    /** Where the insertions and pauses of a queue are published. */
    public byte[] signals(String namespace, String queue) {
        return key("keuss:signal:" + namespace + ':' + stored(queue));
    }

    /** The hash with counters and the paused flag of a queue. */
    public byte[] stats(String namespace, String queue) {
        return key("keuss:stats:" + namespace + ':' + stored(queue));
    }

    /** The Cluster slot of a queue's keys. */
    public int slot(String queue) {
        return SlotHash.getSlot(key(stored(queue)));
    }

    /** A text as it travels. */
    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A number as it travels. */
    public static byte[] bytes(long number) {
        return Long.toString(number).getBytes(StandardCharsets.ISO_8859_1);
    }
}
