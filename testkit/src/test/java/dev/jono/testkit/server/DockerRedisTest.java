package dev.jono.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DockerRedisTest {
    @Test
    void containerAnswers() throws Exception {
        try (DockerRedis redis = DockerRedis.start()) {
            java.net.URI uri = java.net.URI.create(redis.uri());
            try (RedisWire wire = new RedisWire(uri.getHost(), uri.getPort())) {
                assertThat(wire.call("PING")).isEqualTo("PONG");
            }
        }
    }
}
