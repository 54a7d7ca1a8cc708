package dev.jono.benchmarks.compare;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.jono.testkit.server.ServerBinary;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * A RabbitMQ broker with its own folder, name, ports and Erlang port mapper, so that it does not meet another broker on
 * this machine.
 */
final class RabbitHost implements Server {
    private final Path folder;
    private final int port = ServerProcess.freePort();
    private final ServerProcess mapper;
    private final ServerProcess broker;
    private final String version;

    RabbitHost(Path folder) throws IOException {
        this.folder = folder.toAbsolutePath();
        String program = ServerBinary.named("rabbitmq-server").require().toString();
        String names = ServerBinary.named("epmd").require().toString();
        int mapperPort = ServerProcess.freePort();
        Path config = this.folder.resolve("rabbitmq.conf");
        Files.writeString(
                config, "listeners.tcp.local = 127.0.0.1:" + port + "\nvm_memory_high_watermark.absolute = 4GB\n");
        Path plugins = this.folder.resolve("enabled_plugins");
        Files.writeString(plugins, "[].\n");
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("HOME", this.folder.toString());
        environment.put("ERL_EPMD_PORT", Integer.toString(mapperPort));
        environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
        environment.put("RABBITMQ_NODENAME", "compare" + port + "@localhost");
        environment.put("RABBITMQ_DIST_PORT", Integer.toString(ServerProcess.freePort()));
        environment.put("RABBITMQ_MNESIA_BASE", this.folder.resolve("data").toString());
        environment.put("RABBITMQ_LOG_BASE", this.folder.resolve("log").toString());
        environment.put("RABBITMQ_PID_FILE", this.folder.resolve("pid").toString());
        environment.put("RABBITMQ_CONFIG_FILE", config.toString());
        environment.put("RABBITMQ_CONF_ENV_FILE", "/dev/null");
        environment.put("RABBITMQ_ENABLED_PLUGINS_FILE", plugins.toString());
        Path log = this.folder.resolve("start.log");
        this.mapper = new ServerProcess(this.folder.resolve("epmd.log"), environment, List.of(names));
        mapper.awaitPort(mapperPort, "epmd", log);
        this.broker = new ServerProcess(log, environment, List.of(program));
        broker.awaitPort(port, "rabbitmq-server", log);
        this.version = "RabbitMQ " + connect();
    }

    /** Returns the version of the broker; waits until it answers, which is some time after its port is open. */
    private String connect() throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                ConnectionFactory factory = new ConnectionFactory();
                factory.setUri(url());
                try (Connection connection = factory.newConnection()) {
                    return String.valueOf(connection.getServerProperties().get("version"));
                }
            } catch (IOException | TimeoutException notYet) {
                if (attempt == 50) {
                    throw new IOException("RabbitMQ did not answer", notYet);
                }
                LockSupport.parkNanos(200_000_000);
            } catch (URISyntaxException | GeneralSecurityException impossible) {
                throw new IOException(impossible);
            }
        }
    }

    @Override
    public String url() {
        return "amqp://guest:guest@127.0.0.1:" + port;
    }

    @Override
    public List<Long> pids() {
        return List.of(broker.pid());
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public String settings() {
        return "defaults, memory up to 4 GB, no plugins";
    }

    @Override
    public long bytes() throws IOException {
        return Servers.sizeOf(folder.resolve("data"));
    }

    @Override
    public String bytesAre() {
        return "bytes of the files";
    }

    @Override
    public void close() throws IOException {
        broker.close();
        mapper.close();
    }
}
