package dev.jono.testkit.server;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * A Redis in a Docker container. Needs {@code org.testcontainers:testcontainers} on the class path, which is no
 * dependency of this module.
 */
public final class DockerRedis implements AutoCloseable {
    private static final int PORT = 6379;

    private final GenericContainer<?> container;

    private DockerRedis(GenericContainer<?> container) {
        this.container = container;
    }

    /**
     * Starts a container of the image {@code redis:7}.
     *
     * @throws org.opentest4j.TestAbortedException if there is no Docker, so that the test is skipped with the reason
     */
    public static DockerRedis start() {
        return start("redis:7");
    }

    /** As {@link #start()}, with another image. */
    public static DockerRedis start(String image) {
        requireDocker();
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(image)).withExposedPorts(PORT);
        container.start();
        return new DockerRedis(container);
    }

    private static void requireDocker() {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            throw ServerBinary.missing("docker", "Docker does not answer");
        }
    }

    /** Starts a container for the whole JVM. Testcontainers stops it. */
    static DockerRedis startShared() {
        String tried = "no JONO_TEST_REDIS in the environment, no redis-server on the PATH or in "
                + ServerBinary.cache().resolve("bin") + " (./test installs one there), ";
        try {
            return start();
        } catch (NoClassDefFoundError absent) {
            throw ServerBinary.missing("redis-server", tried + "no Testcontainers on the class path", absent);
        } catch (org.opentest4j.TestAbortedException noDocker) {
            throw ServerBinary.missing("redis-server", tried + noDocker.getMessage(), noDocker);
        }
    }

    /** {@code redis://host:port}. */
    public String uri() {
        return "redis://" + container.getHost() + ":" + container.getMappedPort(PORT);
    }

    @Override
    public void close() {
        container.stop();
    }
}
