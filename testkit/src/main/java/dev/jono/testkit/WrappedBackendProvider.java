package dev.jono.testkit;

import dev.jono.Capability;
import dev.jono.ConfigurationException;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.ConnectionUrl;
import dev.jono.spi.PluginConfig;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Opens another backend and wraps it. It is registered only in a class loader of the testkit ({@link #loader()}), so
 * that applications never see it. Public for the service loader.
 */
public final class WrappedBackendProvider implements BackendProvider {
    static final String TYPE = "testkit-wrapped";

    private static final ConcurrentHashMap<String, Wrapping> WRAPPINGS = new ConcurrentHashMap<>();

    private record Wrapping(String url, UnaryOperator<Backend> wrapper) {}

    /** For the service loader. */
    public WrappedBackendProvider() {}

    /** Registers a wrapper for URLs of the form {@code TYPE:KEY}, and returns the key. */
    static String register(String url, UnaryOperator<Backend> wrapper) {
        String key = UUID.randomUUID().toString();
        WRAPPINGS.put(key, new Wrapping(url, wrapper));
        return key;
    }

    static void forget(String key) {
        WRAPPINGS.remove(key);
    }

    /** A class loader that finds this provider in addition to those of the class path. */
    static ClassLoader loader() {
        return new Loader(WrappedBackendProvider.class.getClassLoader());
    }

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.allOf(Capability.class);
    }

    @Override
    public Backend open(PluginConfig config) {
        Wrapping wrapping = WRAPPINGS.get(config.url().location());
        if (wrapping == null) {
            throw new ConfigurationException("nothing is wrapped under '" + config.url() + "'");
        }
        ConnectionUrl url = ConnectionUrl.parse(wrapping.url);
        Backend backend = ContractSetup.provider(url.type())
                .open(PluginConfig.builder()
                        .url(url)
                        .namespace(config.namespace())
                        .clock(config.clock())
                        .executor(config.executor())
                        .storage(config.storage())
                        .build());
        return wrapping.wrapper.apply(backend);
    }

    private static final class Loader extends ClassLoader {
        private static final String SERVICE = "META-INF/services/" + BackendProvider.class.getName();

        Loader(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Enumeration<URL> getResources(String name) throws IOException {
            if (!name.equals(SERVICE)) {
                return super.getResources(name);
            }
            List<URL> found = new ArrayList<>(Collections.list(super.getResources(name)));
            URL own = WrappedBackendProvider.class.getResource("backends");
            if (own == null) {
                throw new IOException("the testkit's list of backends is missing");
            }
            found.add(own);
            return Collections.enumeration(found);
        }
    }
}
