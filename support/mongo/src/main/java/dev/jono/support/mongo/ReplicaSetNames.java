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
 * Hosts that answer, but belong to another replica set than the URI names. The driver leaves them out, and says no more than
 * that it has found no server. Its monitors call this; thread-safe.
 */
final class ReplicaSetNames implements ServerListener {
    private final @Nullable String wanted;
    private final ConcurrentMap<String, String> others = new ConcurrentSkipListMap<>();

    ReplicaSetNames(MongoClientSettings settings) {
        this.wanted = settings.getClusterSettings().getRequiredReplicaSetName();
    }

    /** The same settings, with which a client's monitors call this. */
    MongoClientSettings withListener(MongoClientSettings settings) {
        return wanted == null
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
        if (name != null && name.equals(wanted)) {
            others.remove(host);
        } else {
            others.put(host, name == null ? "to none" : "to '" + name + "'");
        }
    }

    /** A failure to connect, with what is known of the hosts. */
    StorageException explain(StorageException failure) {
        if (others.isEmpty()) {
            return failure;
        }
        String hosts = others.entrySet().stream()
                .map(host -> host.getKey() + " belongs " + host.getValue())
                .collect(Collectors.joining(", "));
        return new StorageException(
                failure.getMessage() + "; the URI names the replica set '" + wanted + "', but " + hosts,
                null,
                null,
                failure.getCause());
    }
}
