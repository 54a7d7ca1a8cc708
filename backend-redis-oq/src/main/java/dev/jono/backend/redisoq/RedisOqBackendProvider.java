package dev.jono.backend.redisoq;

import dev.jono.ConfigurationException;
import dev.jono.spi.Backend;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import dev.jono.support.redis.RedisBackendProvider;
import dev.jono.support.redis.RedisLink;
import java.util.Set;

/** The backend {@code redis-oq}: {@code redis-oq:redis://host:6379/0?jono.prefix=test:}. */
public final class RedisOqBackendProvider extends RedisBackendProvider {
    private static final String MARK = "mark";
    /** To mark a message means to write its text again: for a longer one that costs as much as the rest of a claim. */
    private static final int DEFAULT_MARK_BYTES = 4096;

    /** For {@link java.util.ServiceLoader}. */
    public RedisOqBackendProvider() {
        super(RedisOqQueue.TYPE, RedisOqBackend.CAPABILITIES, Set.of(MARK));
    }

    @Override
    protected Backend open(RedisLink link, PluginConfig config) {
        try {
            return new RedisOqBackend(link, config.namespace(), markBytes(config.url()));
        } catch (ConfigurationException wrong) {
            link.close();
            throw wrong;
        }
    }

    private static int markBytes(ConnectionUrl url) {
        String value = url.option(MARK);
        if (value == null) {
            return DEFAULT_MARK_BYTES;
        }
        if (!value.matches("[0-9]{1,9}")) {
            throw new ConfigurationException(
                    "option jono.mark: '" + value
                            + "' is not a number of bytes from 0 to 999999999: the longest message to mark as reserved for keuss");
        }
        return Integer.parseInt(value);
    }
}
