package dev.jono.signal.redispubsub;

import dev.jono.spi.Signaller;
import dev.jono.testkit.SignallerContract;
import dev.jono.testkit.server.RedisServer;

class RedisPubSubSignallerContractTest extends SignallerContract {
    @Override
    protected Signaller open(String namespace) {
        return Signallers.open(RedisServer.sharedUri(), namespace);
    }
}
