package dev.jono.support.redis;

import dev.jono.JonoClock;
import dev.jono.Storage;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Opens links, and runs a counting script. */
final class Links {
    /** Adds one, and returns the sum. */
    static final Script COUNT = Script.of("counting up", true, "return {redis.call('INCR', KEYS[1])}");

    static final byte[][] KEY = {RedisKeys.bytes("n")};

    private Links() {}

    static RedisLink open(String uri) {
        return open(uri, JonoClock.system(), null);
    }

    static RedisLink open(String uri, JonoClock clock, @Nullable Storage storage) {
        PluginConfig.Builder config = PluginConfig.builder()
                .url(ConnectionUrl.parse("redis-oq:" + uri))
                .clock(clock)
                .executor(Runnable::run);
        return RedisLink.open((storage == null ? config : config.storage(storage)).build(), Set.of());
    }

    static <R> R got(CompletableFuture<R> stage) {
        try {
            return stage.orTimeout(20, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    static long count(RedisLink link) {
        return Replies.number(got(link.run(COUNT, "orders", KEY)).get(0));
    }
}
