package dev.jono.cli;

import dev.jono.BrowsedMessage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The first message of each ordering key among the messages that a command has read, to say what blocks the later ones.
 * Not thread-safe.
 */
final class KeyHeads {
    private static final int MAX_KEYS = 10_000;

    private final Map<String, Head> heads = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Head> eldest) {
            return size() > MAX_KEYS;
        }
    };

    /** A message that blocks the later ones of its key. */
    record Head(String id, BrowsedMessage.State state) {
        /** The state as it is printed. */
        String stateName() {
            return state.name().toLowerCase(Locale.ROOT);
        }
    }

    /** Remembers the first messages of keys in this page. */
    void read(List<? extends BrowsedMessage<?>> page) {
        for (BrowsedMessage<?> message : page) {
            if (message.state() != BrowsedMessage.State.BLOCKED) {
                message.key().ifPresent(key -> heads.putIfAbsent(key, new Head(message.id(), message.state())));
            }
        }
    }

    /** The message that blocks this one; empty if it was not read yet. */
    Optional<Head> blocking(BrowsedMessage<?> blocked) {
        String key = blocked.key().orElse(null);
        return key == null ? Optional.empty() : Optional.ofNullable(heads.get(key));
    }
}
