package dev.jono.spring.redis;

import dev.jono.ConfigurationException;
import dev.jono.Storage;
import dev.jono.spring.SharedStorage;
import dev.jono.support.redis.RedisStorage;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A Lettuce client with the servers, credentials, encryption and threads of the application's connection factory. It is a client
 * object of its own, because Jono needs other client options, and because the connection factory closes its client before beans
 * are destroyed, when messages can still have to be given back.
 */
final class SharedRedis implements SharedStorage, DisposableBean {
    private static final String REPLICAS = "spring.data.redis.masterreplica.nodes";

    private final LettuceConnectionFactory connections;
    private final Environment environment;
    private @Nullable AbstractRedisClient client;

    SharedRedis(LettuceConnectionFactory connections, Environment environment) {
        this.connections = connections;
        this.environment = environment;
    }

    @Override
    public String name() {
        return "Redis";
    }

    @Override
    public List<String> backends() {
        return List.of("redis-oq", "redis-list");
    }

    @Override
    public Storage storage() {
        if (environment.containsProperty(REPLICAS) || environment.containsProperty(REPLICAS + "[0]")) {
            throw new ConfigurationException("Jono cannot use the Redis connection of the application, because "
                    + REPLICAS + " is set: it needs the server that accepts writes; set jono.url");
        }
        LettuceClientConfiguration configuration = connections.getClientConfiguration();
        AbstractRedisClient opened = new ClientFactory(servers(), configuration).open();
        this.client = opened;
        if (opened instanceof RedisClusterClient cluster) {
            cluster.setOptions(clusterOptions(configuration));
            return RedisStorage.of(cluster);
        }
        RedisClient single = (RedisClient) opened;
        ClientOptions options = configuration.getClientOptions().orElseGet(ClientOptions::create);
        single.setOptions(safe(options.mutate(), configuration).build());
        return RedisStorage.of(single);
    }

    private RedisConfiguration servers() {
        if (connections.getClusterConfiguration() != null) {
            return connections.getClusterConfiguration();
        }
        if (connections.getSentinelConfiguration() != null) {
            return connections.getSentinelConfiguration();
        }
        RedisConfiguration socket = connections.getSocketConfiguration();
        return socket != null ? socket : connections.getStandaloneConfiguration();
    }

    private static ClusterClientOptions clusterOptions(LettuceClientConfiguration configuration) {
        ClientOptions options = configuration.getClientOptions().orElseGet(ClusterClientOptions::create);
        ClusterClientOptions.Builder builder = options instanceof ClusterClientOptions cluster
                ? cluster.mutate()
                : ClusterClientOptions.builder(options);
        safe(builder, configuration);
        return builder.build();
    }

    /** Lettuce must not repeat a command by itself, and must report a lost answer: see {@link RedisStorage}. */
    private static ClientOptions.Builder safe(ClientOptions.Builder builder, LettuceClientConfiguration configuration) {
        return builder.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(configuration.getCommandTimeout()));
    }

    /** Called after the queue factory, which depends on this bean, was closed. */
    @Override
    public void destroy() {
        if (client != null) {
            client.shutdown();
        }
    }

    /** Makes the client that a connection factory with these settings would use. It opens no connection. */
    private static final class ClientFactory extends LettuceConnectionFactory {
        ClientFactory(RedisConfiguration servers, LettuceClientConfiguration client) {
            super(servers, client);
        }

        AbstractRedisClient open() {
            return createClient();
        }
    }
}
