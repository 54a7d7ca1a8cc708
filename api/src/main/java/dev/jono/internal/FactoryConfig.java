package dev.jono.internal;

import dev.jono.CodecFactory;
import dev.jono.FactoryListener;
import dev.jono.Interceptor;
import dev.jono.JonoClock;
import dev.jono.QueueOptions;
import dev.jono.Storage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** The settings of a factory. Immutable. */
public record FactoryConfig(
        String url,
        String namespace,
        @Nullable String signaller,
        @Nullable String stats,
        QueueOptions queueDefaults,
        Map<String, QueueOptions> queueOptions,
        JonoClock clock,
        @Nullable Executor executor,
        @Nullable Storage storage,
        @Nullable ClassLoader classLoader,
        CodecFactory codecs,
        List<Interceptor> interceptors,
        List<FactoryListener> listeners) {
    /** Without the URLs, which can contain credentials. */
    @Override
    public String toString() {
        return "settings of a factory in namespace '" + namespace + "'";
    }
}
