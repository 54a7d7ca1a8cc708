package dev.jono.support.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisUrisTest {
    private static RedisURI single(String url) {
        return RedisUris.server(ConnectionUrl.parse(url));
    }

    @Test
    void emptyLocationIsTheLocalRedis() {
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
                RedisUris.nodes(ConnectionUrl.parse("redis-oq:rediss://me:secret@a:1,b:2?verifyPeer=CA"));
        assertThat(nodes).extracting(RedisURI::getHost).containsExactly("a", "b");
        assertThat(nodes).allSatisfy(node -> {
            assertThat(node.isSsl()).isTrue();
            assertThat(node.getVerifyMode()).isEqualTo(SslVerifyMode.CA);
            assertThat(node.toString()).startsWith("rediss://me:******@");
        });
    }

    @Test
    void nodesOfAClusterHaveTheClientsNames() {
        List<RedisURI> nodes = RedisUris.nodes(
                ConnectionUrl.parse("redis-oq:redis://a,b/0?clientName=me&libraryName=mine&libraryVersion=9"));
        assertThat(nodes).hasSize(2).allSatisfy(node -> {
            assertThat(node.getClientName()).isEqualTo("me");
            assertThat(node.getLibraryName()).startsWith("mine");
            assertThat(node.getLibraryVersion()).isEqualTo("9");
        });
    }

    /** A value of each of Lettuce's parameters, and the property of a URI that shows its use. */
    private static final Map<String, Function<RedisURI, Object>> PARAMETERS = Map.of(
            "timeout=7s", uri -> "read by RedisOptions",
            "database=7", RedisURI::getDatabase,
            "db=7", RedisURI::getDatabase,
            "sentinelMasterId=seven", RedisURI::getSentinelMasterId,
            "clientName=seven", RedisURI::getClientName,
            "libraryName=seven", RedisURI::getLibraryName,
            "libraryVersion=seven", RedisURI::getLibraryVersion,
            "verifyPeer=CA", RedisURI::getVerifyMode);

    @Test
    void everyParameterOfLettucesIsUsedOrRefusedByName() throws ReflectiveOperationException {
        List<String> names = new ArrayList<>();
        for (Field field : RedisURI.class.getFields()) {
            if (field.getName().startsWith("PARAMETER_NAME_")) {
                names.add((String) field.get(null));
            }
        }
        assertThat(PARAMETERS.keySet().stream().map(RedisUrisTest::name)).containsExactlyInAnyOrderElementsOf(names);
        for (String form : List.of(
                "redis://h",
                "rediss://h",
                "redis+tls://h",
                "redis-socket:///s",
                "redis-sentinel://h",
                "rediss-sentinel://h",
                "redis://h,i")) {
            PARAMETERS.forEach((parameter, got) -> {
                String url = "redis-oq:" + form + "?" + parameter
                        + (form.contains("sentinel") && !parameter.startsWith("sentinel") ? "#m" : "");
                assertThat(usedOrRefused(url, parameter, got)).as(url).isTrue();
            });
        }
    }

    private static String name(String parameter) {
        return parameter.split("=", 2)[0];
    }

    private static boolean usedOrRefused(String text, String parameter, Function<RedisURI, Object> got) {
        ConnectionUrl url = ConnectionUrl.parse(text);
        try {
            if (parameter.startsWith("timeout")) {
                return RedisOptions.parse(url, Set.of()).timeout().toSeconds() == 7;
            }
            List<RedisURI> uris =
                    RedisUris.namesSeveralNodes(url) ? RedisUris.nodes(url) : List.of(RedisUris.server(url));
            String value = parameter.split("=", 2)[1];
            return uris.stream().allMatch(uri -> String.valueOf(got.apply(uri)).startsWith(value));
        } catch (ConfigurationException refused) {
            String named = name(parameter).startsWith("d") ? "database" : name(parameter);
            return String.valueOf(refused.getMessage()).contains(named);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://h?colour=red | unknown option colour",
                "redis://h?password=hunter2 | unknown option password",
                "redis://h?jono.x=1;colour=red | jono.x",
                "redis://h#main | fragment",
                "redis-socket:///s#main | fragment",
                "redis-sentinel://h | sentinelMasterId is missing",
                "redis-sentinel://h?sentinelMasterId=a#b | sentinelMasterId is given twice",
                "redis://h?sentinelMasterId=a | sentinelMasterId is for redis-sentinel",
                "redis://h?verifyPeer=NONE | verifyPeer is for TLS",
                "rediss://h?verifyPeer=yes | verifyPeer must be one of",
                "redis://h/shop | database is not a number",
                "redis://h/0/1 | database is not a number",
                "redis://h/-1 | database is not a number",
                "redis://h/1?database=2 | database is given twice",
                "redis://h?database=1&db=1 | database is given twice",
                "redis://h?database=1x | database is not a number",
                "redis://h?clientName= | clientName must be printable ASCII",
                "redis://h?libraryName=a%20b | libraryName must be printable ASCII",
                "redis-socket://tmp/redis.sock | a path without a host",
                "redis-socket:// | a path without a host",
                "redis://h:1,i | jono.cluster",
                "redis://me:@h | a user without a password",
                "redis://:@h | a user without a password",
                "redis:///0 | no host",
                "redis://h:0 | port 0 ",
                "redis://h:70000 | port 70000 ",
                "redis-sentinel://h:70000#m | port 70000 "
            })
    void partsThatAreNotUsedAreRefusedByName(String location, String reason) {
        assertThatThrownBy(() -> {
                    ConnectionUrl url = ConnectionUrl.parse("redis-oq:" + location);
                    RedisUris.server(url);
                    RedisOptions.parse(url, Set.of());
                })
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(reason)
                .hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://a,b/1 | only the database 0",
                "redis://a,b?database=1 | only the database 0",
                "redis-socket:///s | addresses of its nodes",
                "redis-sentinel://a#m | addresses of its nodes",
                "redis:// | no host",
                "redis://a,b:70000 | port 70000 ",
                "redis://a,b#m | fragment"
            })
    void partsThatAClusterDoesNotHaveAreRefusedByName(String location, String reason) {
        assertThatThrownBy(() -> RedisUris.nodes(ConnectionUrl.parse("redis-oq:" + location)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void passwordMayHoldAColon() {
        RedisURI uri = single("redis-oq:redis://me:a:b@h");
        List<RedisCredentials> found = new ArrayList<>();
        Consumer<RedisCredentials> add = found::add;
        uri.getCredentialsProvider().resolveCredentials().subscribe(add);
        assertThat(found)
                .singleElement()
                .satisfies(each -> assertThat(each.getPassword()).containsExactly('a', ':', 'b'));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://me:hunter2@h",
                "redis://me:hunter2@h:99999",
                "redis://me:hunter2@",
                "redis://me:hunter2 @h,:",
                "redis-sentinel://:hunter2@a",
                "me:hunter2@h"
            })
    void wrongUriIsRefusedWithoutThePassword(String location) {
        ConnectionUrl url = ConnectionUrl.parse("redis-oq:" + location);
        for (Runnable reading : List.<Runnable>of(() -> RedisUris.server(url), () -> RedisUris.nodes(url))) {
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
