package dev.jono.backend.redisoq;

import dev.jono.UniqueKey;
import dev.jono.spi.Due;
import dev.jono.spi.NewMessage;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.Envelope;
import dev.jono.support.redis.RedisKeys;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one script that inserts messages. Consecutive messages of the same form, usually all, are a run under one
 * head. Used by {@link Inserts}. Not thread-safe.
 */
final class InsertArgs {
    private static final int UNIQUE_KEYS_AT = 3;

    private final QueueKeys keys;
    private final List<@Nullable String> ids;
    private final List<byte[]> args;
    private final List<byte[]> uniqueKeys = new ArrayList<>(0);
    private @Nullable Run run;
    private int runLengthAt;
    private int runLength;

    /**
     * What the messages of a run have in common.
     *
     * @param form a letter by which the script knows the arguments of each message
     */
    private record Run(Envelope.Tail tail, String form, boolean absolute, long millis) {}

    InsertArgs(QueueKeys keys, int messages, boolean announce, String suffix) {
        this.keys = keys;
        this.ids = new ArrayList<>(messages);
        this.args = new ArrayList<>(messages + 8);
        args.add(Limits.MEMORY_MILLIS);
        args.add(announce ? keys.channel : ScriptArgs.EMPTY);
        args.add(RedisKeys.bytes(suffix));
        args.add(ScriptArgs.EMPTY);
    }

    /** Adds a new message. */
    void add(NewMessage message) {
        String id = message.id();
        Envelope.Body body = Envelope.write(id, message.payload(), message.headers(), message.tries());
        UniqueKey unique = message.unique();
        String key = keys.keyed ? message.key() : null;
        String form = id == null ? "n" : "i";
        if (key == null && unique == null) {
            begin(id, body, form, message.due());
        } else {
            begin(id, body, form.toUpperCase(java.util.Locale.ROOT), message.due());
            addKeys(key, unique);
        }
        addBody(id, body);
    }

    /** Adds a message that was taken and is put back. */
    void addTaken(StoredMessage message) {
        Envelope.Body body = Envelope.write(message.id(), message.payload(), message.headers(), message.tries());
        String key = keys.keyed ? message.key() : null;
        begin(message.id(), body, key == null ? "i" : "R", Due.atMillis(message.dueMillis()));
        if (key != null) {
            addKeys(key, null);
        }
        addBody(message.id(), body);
    }

    private void begin(@Nullable String id, Envelope.Body body, String form, Due due) {
        Run next = new Run(body.tail(), form, due.absolute(), due.millis());
        if (!next.equals(run)) {
            endRun();
            run = next;
            args.add(ScriptArgs.spec(body.tail(), form, due));
            runLengthAt = args.size();
            args.add(ScriptArgs.EMPTY);
            runLength = 0;
        }
        ids.add(id);
        runLength++;
    }

    private void addKeys(@Nullable String key, @Nullable UniqueKey unique) {
        args.add(key == null ? ScriptArgs.EMPTY : RedisKeys.bytes(key));
        if (unique == null) {
            args.add(ScriptArgs.EMPTY);
            args.add(ScriptArgs.EMPTY);
        } else {
            if (uniqueKeys.isEmpty()) {
                uniqueKeys.addAll(List.of(keys.windows, keys.deletion));
            }
            uniqueKeys.add(keys.unique(unique.scope(), unique.key()));
            args.add(RedisKeys.bytes(unique.scope() == null ? uniqueKeys.size() : -uniqueKeys.size()));
            args.add(RedisKeys.bytes(unique.window().toMillis()));
        }
    }

    private void addBody(@Nullable String id, Envelope.Body body) {
        if (id != null) {
            args.add(RedisKeys.bytes(id));
        }
        args.add(body.text());
    }

    private void endRun() {
        if (run != null) {
            args.set(runLengthAt, RedisKeys.bytes(runLength));
        }
    }

    /** The given id of each message; null for a message that the script gives an id. */
    List<@Nullable String> ids() {
        return ids;
    }

    /** The keys of the script: those of the queue, of the call and the one before, and what unique keys of the messages need. */
    byte[][] keys(byte[] call, byte[] previousCall) {
        List<byte[]> all = new ArrayList<>(uniqueKeys.size() + 2);
        all.add(call);
        all.add(previousCall);
        all.addAll(uniqueKeys);
        return keys.all(all.toArray(byte[][]::new));
    }

    byte[][] toArray() {
        endRun();
        args.set(UNIQUE_KEYS_AT, RedisKeys.bytes(uniqueKeys.size()));
        return args.toArray(byte[][]::new);
    }
}
