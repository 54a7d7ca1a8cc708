package dev.jono.backend.mongo;

import dev.jono.JonoException;

/**
 * Another process made the queue keyed, or deleted the keyed queue. Nothing was changed. {@link KeyRouter} reads
 * the setting again and repeats the call.
 */
final class KeySettingChangedException extends JonoException {
    private static final long serialVersionUID = 1;

    KeySettingChangedException(String queue) {
        super("queue '" + queue + "' has got another setting of ordering keys", queue, null, null);
    }
}
