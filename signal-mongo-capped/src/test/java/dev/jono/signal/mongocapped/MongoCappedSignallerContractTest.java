package dev.jono.signal.mongocapped;

import dev.jono.spi.Signaller;
import dev.jono.testkit.SignallerContract;
import dev.jono.testkit.server.MongoReplicaSet;

class MongoCappedSignallerContractTest extends SignallerContract {
    @Override
    protected Signaller open(String namespace) {
        return Signallers.open(MongoReplicaSet.sharedUri("jono_test"), namespace);
    }
}
