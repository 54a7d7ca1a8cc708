package dev.jono.support.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisOptionsTest {
    private static RedisOptions parsed(String url) {
        return RedisOptions.parse(ConnectionUrl.parse(url), Set.of(RedisOptions.REPLICAS));
    }

    @Test
    void defaults() {
        assertThat(parsed("redis-oq:redis://localhost"))
                .isEqualTo(new RedisOptions("", false, 0, Duration.ofSeconds(5)));
    }

    @Test
    void allAreRead() {
        assertThat(parsed("redis-oq:redis://h?jono.prefix={app}:&jono.cluster=true&jono.replicas=2&jono.timeout=700ms"))
                .isEqualTo(new RedisOptions("{app}:", true, 2, Duration.ofMillis(700)));
    }

    @ParameterizedTest
    @CsvSource({
        "redis-oq:redis://h:1, false",
        "'redis-oq:redis://h1:7000,h2:7000', true",
        "'redis-oq:rediss://h1:7000,h2:7000', true",
        "'redis-oq:redis+tls://h1:7000,h2:7000', true",
        "'redis-oq:redis+ssl://h1:7000,h2:7000', true",
        "'redis-oq:redis://user:a,b@h1:7000', false",
        "'redis-oq:redis://user:a,b@h1:7000,h2', true",
        "'redis-oq:redis-sentinel://h1,h2/0#m', false",
        "redis-oq:redis-socket:///tmp/a, false",
        "'redis-oq:redis://h1?clientName=a,b', false",
        "'redis-oq:redis://h1,h2?jono.cluster=false', false",
        "redis-oq:redis://h1?jono.cluster=true, true",
        "redis-oq:, false"
    })
    void severalHostsAreACluster(String url, boolean cluster) {
        assertThat(parsed(url).cluster()).isEqualTo(cluster);
    }

    @ParameterizedTest
    @CsvSource({
        "redis-oq:redis://h?timeout=3s, 3000",
        "redis-oq:redis://h?Timeout=3S, 3000",
        "redis-oq:redis://h?timeout=3, 3",
        "redis-oq:redis://h?timeout=3000us, 3",
        "redis-oq:redis://h?jono.timeout=1s, 1000",
        "redis-oq:redis://h?clientName=timeout, 5000"
    })
    void timeoutIsJonosOrLettucesOrTheDefault(String url, long millis) {
        assertThat(parsed(url).timeout()).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jono.prefix=a b",
                "jono.prefix=a%0Ab",
                "jono.prefix=*",
                "jono.prefix=é",
                "jono.cluster=yes",
                "jono.cluster=",
                "jono.replicas=-1",
                "jono.replicas=100",
                "jono.replicas=one",
                "jono.replicas=",
                "jono.timeout=0s",
                "jono.timeout=-1s",
                "jono.timeout=soon",
                "jono.nonsense=1",
                "timeout=abc",
                "timeout=0",
                "timeout=-1",
                "timeout=3sec",
                "timeout=",
                "timeout=3s&jono.timeout=3s"
            })
    void wrongOnesAreRefusedByName(String option) {
        assertThatThrownBy(() -> parsed("redis-oq:redis://:hunter2@h?" + option))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(option.substring(0, option.indexOf('=')))
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void prefixHasALimit() {
        assertThat(parsed("redis-oq:redis://h?jono.prefix=" + "x".repeat(100)).prefix())
                .hasSize(100);
        assertThatThrownBy(() -> parsed("redis-oq:redis://h?jono.prefix=" + "x".repeat(101)))
                .isInstanceOf(ConfigurationException.class);
    }

    @Test
    void optionsOfThePluginAreKnownToIt() {
        ConnectionUrl url = ConnectionUrl.parse("x:redis://h?jono.own=1");
        assertThat(RedisOptions.parse(url, Set.of("own"))).isNotNull();
        assertThatThrownBy(() -> RedisOptions.parse(url, Set.of())).hasMessageContaining("jono.own");
    }
}
