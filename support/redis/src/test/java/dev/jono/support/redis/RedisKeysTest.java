package dev.jono.support.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisKeysTest {
    private final RedisKeys node = new RedisKeys("p:", false);
    private final RedisKeys cluster = new RedisKeys("p:", true);
    private final RedisKeys oneSlot = new RedisKeys("{p}:", true);

    @ParameterizedTest
    @ValueSource(strings = {"orders", "{orders}", "{orders}dead", "a{b}c", "{}", "}{", "{", "x y:z*"})
    void oneNodeKeepsNames(String queue) {
        for (RedisKeys keys : new RedisKeys[] {node, oneSlot}) {
            assertThat(keys.stored(queue)).isEqualTo(queue);
            assertThat(keys.shown(queue)).isEqualTo(queue);
            assertThat(keys.refuseName(queue)).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a{b:", "{}x:", "{"})
    void prefixThatBreaksTheHashTagsOfAClusterIsRefused(String prefix) {
        assertThatThrownBy(() -> new RedisKeys(prefix, true))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(prefix);
        assertThat(new RedisKeys(prefix, false).prefix()).isEqualTo(prefix);
    }

    @ParameterizedTest
    @CsvSource({
        "orders, {orders}",
        "{orders}dead, {orders}dead",
        "a{b}c, a{b}c",
        "a}b, {a}b}",
        "a{, {a{}",
        "{}a, {{}a}",
        "a{}, {a{}}"
    })
    void clusterAddsATagToNamesWithoutOne(String queue, String stored) {
        assertThat(cluster.refuseName(queue)).isNull();
        assertThat(cluster.stored(queue)).isEqualTo(stored);
        assertThat(cluster.stored(stored)).as("a stored name has a tag").isEqualTo(stored);
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "{orders}dead", "a{b}c", "a{", "a}b", "a}{b", "{}a", "ünïcode"})
    void storedNameIsShownAsTheOriginal(String queue) {
        assertThat(cluster.shown(cluster.stored(queue))).isEqualTo(queue);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{orders}", "{a}b}", "{a}{b}", "}orders", "}"})
    void namesThatWouldCollideOrBreakTheTagAreRefused(String queue) {
        assertThat(cluster.refuseName(queue)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders", "a}b", "a{", "{}a", "a{}", "{orders}dead"})
    void allKeysOfAQueueAreInOneSlot(String queue) {
        String stored = cluster.stored(queue);
        assertThat(io.lettuce.core.cluster.SlotHash.getSlot(cluster.key("one:" + stored + ":a")))
                .isEqualTo(io.lettuce.core.cluster.SlotHash.getSlot(cluster.key("other:" + stored + ":token{x}")))
                .isEqualTo(cluster.slot(queue));
    }

    @Test
    void keysAndChannelsAreKeusssAfterThePrefix() {
        assertThat(text(node.signals("N", "orders"))).isEqualTo("p:keuss:signal:N:orders");
        assertThat(text(node.stats("N", "orders"))).isEqualTo("p:keuss:stats:N:orders");
        assertThat(text(cluster.signals("N", "orders"))).isEqualTo("p:keuss:signal:N:{orders}");
    }

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }

    /** With allowed prefixes and namespaces, no two queues, namespaces or prefixes share a key or channel. */
    @Test
    void namesNeverCollide() {
        List<String> texts = List.of(
                "a",
                "b",
                "N",
                "keuss",
                "a:b",
                "N:b",
                "keuss:signal",
                "keuss:signal:N",
                "keuss:signal:N:",
                "keuss:stats:N:b",
                "keuss:",
                "jono:",
                "jono:oq:claims:",
                "jono:list:call:",
                "jono:oq:");
        Map<String, String> owners = new HashMap<>();
        for (String prefix : Stream.concat(Stream.of(""), texts.stream()).toList()) {
            if (!allowed("redis-oq:redis://h?jono.prefix=" + prefix)) {
                continue;
            }
            RedisKeys keys = new RedisKeys(prefix, false);
            for (String queue : texts) {
                claim(owners, keys.key("keuss:q:ordered_queue:hash:" + queue), prefix + " " + queue);
                for (String namespace :
                        texts.stream().filter(t -> t.indexOf(':') < 0).toList()) {
                    String owner = prefix + " " + namespace + " " + queue;
                    claim(owners, keys.signals(namespace, queue), owner + " signals");
                    claim(owners, keys.stats(namespace, queue), owner + " stats");
                }
            }
        }
    }

    private static boolean allowed(String url) {
        try {
            RedisOptions.parse(ConnectionUrl.parse(url), Set.of());
            return true;
        } catch (ConfigurationException refused) {
            assertThat(refused).hasMessageContaining("jono.prefix");
            return false;
        }
    }

    private static void claim(Map<String, String> owners, byte[] name, String owner) {
        String other = owners.put(new String(name, StandardCharsets.UTF_8), owner);
        assertThat(other).as("%s and %s", owner, other).isNull();
    }
}
