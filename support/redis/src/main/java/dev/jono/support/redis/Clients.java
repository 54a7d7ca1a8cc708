package dev.jono.support.redis;

import dev.jono.JonoClock;
import dev.jono.spi.ConnectionUrl;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.resolver.DefaultAddressResolverGroup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Creates Lettuce clients. */
final class Clients {
    private static final Duration TOPOLOGY_REFRESH = Duration.ofSeconds(15);
    private static final long SHUTDOWN_MILLIS = 2_000;

    /** Commands that are written to the socket together at most. */
    private static final int MAX_PER_FLUSH = 64;

    private Clients() {}

    /**
     * A client that connects.
     *
     * @param uri where to connect; null if the client knows
     * @param resources the client's threads; null for the application's own client, which is never closed
     */
    record Opened(
            AbstractRedisClient client,
            @Nullable RedisURI uri,
            @Nullable ClientResources resources) {
        /** A connection for commands. Blocks. */
        StatefulConnection<byte[], byte[]> connect() {
            if (client instanceof RedisClusterClient cluster) {
                return cluster.connect(ByteArrayCodec.INSTANCE);
            }
            RedisClient single = (RedisClient) client;
            return uri == null ? single.connect(ByteArrayCodec.INSTANCE) : single.connect(ByteArrayCodec.INSTANCE, uri);
        }

        /** A connection for subscriptions. Blocks. */
        StatefulRedisPubSubConnection<byte[], byte[]> subscribe() {
            if (client instanceof RedisClusterClient cluster) {
                return cluster.connectPubSub(ByteArrayCodec.INSTANCE);
            }
            RedisClient single = (RedisClient) client;
            return uri == null
                    ? single.connectPubSub(ByteArrayCodec.INSTANCE)
                    : single.connectPubSub(ByteArrayCodec.INSTANCE, uri);
        }

        void close() {
            if (resources != null) {
                client.shutdown(0, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS);
                resources
                        .shutdown(0, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS)
                        .awaitUninterruptibly(SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
    }

    static Opened of(RedisStorage storage) {
        return new Opened(storage.client(), storage.uri(), null);
    }

    static Opened of(ConnectionUrl url, RedisOptions options, JonoClock clock) {
        if (options.cluster()) {
            List<RedisURI> nodes = RedisUris.nodes(url);
            nodes.forEach(node -> node.setTimeout(options.timeout()));
            ClientResources resources = resources(options, clock);
            RedisClusterClient client = RedisClusterClient.create(resources, nodes);
            client.setOptions(clusterOptions(options));
            return new Opened(client, null, resources);
        }
        RedisURI uri = RedisUris.server(url);
        uri.setTimeout(options.timeout());
        ClientResources resources = resources(options, clock);
        RedisClient client = RedisClient.create(resources, uri);
        client.setOptions(common(ClientOptions.builder(), options).build());
        return new Opened(client, uri, resources);
    }

    private static ClusterClientOptions clusterOptions(RedisOptions options) {
        ClusterClientOptions.Builder builder = ClusterClientOptions.builder()
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .enablePeriodicRefresh(TOPOLOGY_REFRESH)
                        .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                        .build());
        common(builder, options);
        return builder.build();
    }

    /** Lettuce must not repeat a command on its own: {@link RetriedCommand} decides that. */
    private static ClientOptions.Builder common(ClientOptions.Builder builder, RedisOptions options) {
        LettuceVersions.refuseMaintenance(builder);
        return builder.disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(options.timeout()))
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(options.timeout())
                        .keepAlive(true)
                        .tcpNoDelay(true)
                        .build());
    }

    private static ClientResources resources(RedisOptions options, JonoClock clock) {
        long timeoutNanos = options.timeout().toNanos();
        return DefaultClientResources.builder()
                // Lettuce's default, Netty's resolver, leaves a socket open after each client that is shut down.
                .addressResolverGroup(DefaultAddressResolverGroup.INSTANCE)
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        channel.pipeline()
                                .addFirst(new FlushConsolidationHandler(MAX_PER_FLUSH, true))
                                .addFirst(new ReadPhase())
                                .addFirst(new StallGuard(clock, timeoutNanos));
                    }
                })
                .build();
    }
}
