package dev.jono.support.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocationsTest {
    private static RedisURI single(String url) {
        return Locations.single(ConnectionUrl.parse(url));
    }

    @Test
    void nothingIsTheLocalRedis() {
        assertThat(single("redis-oq:").getHost()).isEqualTo("localhost");
        assertThat(single("redis-oq:").getPort()).isEqualTo(6379);
    }

    @Test
    void userPasswordAndDatabaseAreLettuces() {
        RedisURI uri = single("redis-oq:redis://me:p%40ss@h:7000/3");
        assertThat(uri.getHost()).isEqualTo("h");
        assertThat(uri.getPort()).isEqualTo(7000);
        assertThat(uri.getDatabase()).isEqualTo(3);
        assertThat(uri.toString()).startsWith("redis://me:****@h:7000").doesNotContain("p@ss");
        assertThat(uri.isSsl()).isFalse();
    }

    @Test
    void tlsAndItsVerificationAreLettuces() {
        assertThat(single("redis-oq:rediss://h").getVerifyMode()).isEqualTo(SslVerifyMode.FULL);
        assertThat(single("redis-oq:rediss://h?verifyPeer=NONE").getVerifyMode())
                .isEqualTo(SslVerifyMode.NONE);
        assertThat(single("redis-oq:rediss://h?verifyPeer=CA&jono.prefix=x").getVerifyMode())
                .isEqualTo(SslVerifyMode.CA);
        assertThat(single("redis-oq:rediss://h").isSsl()).isTrue();
    }

    @Test
    void socketAndSentinelsAreLettuces() {
        assertThat(single("redis-oq:redis-socket:///run/redis.sock").getSocket())
                .isEqualTo("/run/redis.sock");
        RedisURI uri = single("redis-oq:redis-sentinel://:secret@a:1,b:2/4#main");
        assertThat(uri.getSentinelMasterId()).isEqualTo("main");
        assertThat(uri.getDatabase()).isEqualTo(4);
        assertThat(uri.getSentinels()).extracting(RedisURI::getPort).containsExactly(1, 2);
        assertThat(single("redis-oq:redis-sentinel://a:1/0?sentinelMasterId=other&jono.replicas=1")
                        .getSentinelMasterId())
                .isEqualTo("other");
    }

    @Test
    void everyNodeOfAClusterIsNamedWithItsCredentials() {
        List<RedisURI> nodes =
                Locations.nodes(ConnectionUrl.parse("redis-oq:rediss://me:secret@a:1,b:2?verifyPeer=CA"));
        assertThat(nodes).extracting(RedisURI::getHost).containsExactly("a", "b");
        assertThat(nodes).allSatisfy(node -> {
            assertThat(node.isSsl()).isTrue();
            assertThat(node.getVerifyMode()).isEqualTo(SslVerifyMode.CA);
            assertThat(node.toString()).startsWith("rediss://me:******@");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://me:hunter2@h",
                "redis://me:hunter2@h:99999",
                "redis://me:hunter2@",
                "redis://me:hunter2 @h",
                "redis-sentinel://:hunter2@a",
                "me:hunter2@h"
            })
    void whatNamesNoRedisIsRefusedWithoutThePassword(String location) {
        ConnectionUrl url = ConnectionUrl.parse("redis-oq:" + location);
        for (Runnable reading : List.<Runnable>of(() -> Locations.single(url), () -> Locations.nodes(url))) {
            assertThatThrownBy(reading::run)
                    .as(location)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("redis-oq:redis://")
                    .satisfies(failure -> assertThat(trace(failure)).doesNotContain("hunter2"));
        }
    }

    private static String trace(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }
}
