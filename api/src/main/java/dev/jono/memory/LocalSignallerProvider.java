package dev.jono.memory;

import dev.jono.spi.PluginConfig;
import dev.jono.spi.Signaller;
import dev.jono.spi.SignallerProvider;

/**
 * The provider of the signaller {@code local}: signals within this JVM. {@code local:} reaches all factories on the
 * same {@code memory} storage; with another backend it reaches only its own factory. {@code local:NAME} reaches all
 * signallers of the JVM with that name. Namespaces are separate. Listeners are called on the publisher's thread. No
 * options.
 */
public final class LocalSignallerProvider implements SignallerProvider {
    static final String TYPE = "local";

    private static final SharedByName<SignalBus> BUSES = new SharedByName<>();

    /** For the service loader. */
    public LocalSignallerProvider() {}

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public boolean shared() {
        return false;
    }

    @Override
    public Signaller open(PluginConfig config) {
        return BUSES.open(
                config,
                SignalBus::new,
                memory -> memory.signals,
                (bus, onClose) -> new LocalSignaller(bus, config.namespace(), onClose));
    }
}
