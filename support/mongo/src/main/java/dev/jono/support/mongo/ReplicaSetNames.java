package dev.jono.support.mongo;

import com.mongodb.MongoClientSettings;
import com.mongodb.connection.ServerDescription;
import com.mongodb.event.ServerDescriptionChangedEvent;
import com.mongodb.event.ServerListener;
import dev.jono.StorageException;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Records hosts that answer but do not belong to the replica set of the URI. The driver ignores such hosts and only
 * reports that it found no server. The driver's monitor threads call this; thread-safe.
 */
final class ReplicaSetNames implements ServerListener {
    private final @Nullable String expected;
    private final ConcurrentMap<String, String> others = new ConcurrentSkipListMap<>();

    ReplicaSetNames(MongoClientSettings settings) {
        this.expected = settings.getClusterSettings().getRequiredReplicaSetName();
    }

    /** The settings with this object as a listener. */
    MongoClientSettings withListener(MongoClientSettings settings) {
        return expected == null
                ? settings
                : MongoClientSettings.builder(settings)
                        .applyToServerSettings(server -> server.addServerListener(this))
                        .build();
    }

    @Override
    public void serverDescriptionChanged(ServerDescriptionChangedEvent event) {
        ServerDescription server = event.getNewDescription();
        if (!server.isOk()) {
            return;
        }
        String name = server.getSetName();
        String host = server.getAddress().toString();
        if (name != null && name.equals(expected)) {
            others.remove(host);
        } else {
            others.put(host, name == null ? "to none" : "to '" + name + "'");
        }
    }

    /** Adds to a failure to connect which replica sets the hosts belong to. */
    StorageException explain(StorageException failure) {
        if (others.isEmpty()) {
            return failure;
        }
        String hosts = others.entrySet().stream()
                .map(host -> host.getKey() + " belongs " + host.getValue())
                .collect(Collectors.joining(", "));
        return new StorageException(
                failure.getMessage() + "; the URI names the replica set '" + expected + "', but " + hosts,
                null,
                null,
                failure.getCause());
    }
}
