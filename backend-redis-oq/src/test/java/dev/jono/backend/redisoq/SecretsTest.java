package dev.jono.backend.redisoq;

import static dev.jono.testkit.Secrets.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.testkit.Secrets;
import dev.jono.testkit.server.RedisServer;
import dev.jono.testkit.server.TcpProxy;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No message or log line contains the password, whatever fails and whatever is wrong with the URL. */
@Tag("fault")
class SecretsTest {
    /** Options of Lettuce that are not secret: Lettuce's messages and Redis's list of clients contain them. */
    private static final String OPTIONS = "?timeout=1s&database=1&clientName=me&libraryName=mine&libraryVersion=1";

    private static final List<String> WRONG = List.of(
            "redis://me:" + SECRET,
            "redis://me:" + SECRET + "@",
            "redis://me:" + SECRET + "@h:70000",
            "redis://me:" + SECRET + "@h:port",
            "redis://me:" + SECRET + "@h?timeout=abc",
            "redis://me:" + SECRET + "@h?verifyPeer=CA",
            "redis://me:" + SECRET + "@h/shop",
            "redis://me:" + SECRET + "@h#main",
            "redis://h?password=" + SECRET,
            "redis://h?" + SECRET,
            "redis://h?timeout=1s;token=" + SECRET,
            "redis-sentinel://:" + SECRET + "@h",
            "redis-socket://me:" + SECRET + "@h/path",
            "http://me:" + SECRET + "@h",
            "me:" + SECRET + "@h",
            "redis://me:p@" + SECRET + "@h",
            "redis://me:p/" + SECRET + "@h",
            "redis://me:p#" + SECRET + "@h",
            "redis://me:p%" + SECRET + "@h",
            "redis://me:p:" + SECRET + "/@h",
            "redis://me:p?" + SECRET + "@h",
            "redis://me:p?a=" + SECRET + "&b@h",
            "redis://me:" + SECRET + "@h?jono.unknown=1",
            "redis://me:" + SECRET + "@h?jono.timeout=soon");

    private static void cutOff(TcpProxy proxy) {
        proxy.refuse();
        proxy.cutAll();
    }

    @Test
    void passwordIsNotPrintedWhateverFails() {
        try (Secrets secrets = new Secrets();
                RedisServer redis = RedisServer.builder().password(SECRET).start();
                RedisServer other = RedisServer.builder().password("other").start();
                TcpProxy proxy = TcpProxy.to(redis.host(), redis.port())) {
            for (String wrong : WRONG) {
                assertThat(secrets.works("redis-oq:" + wrong)).as(wrong).isFalse();
            }
            String login = "redis-oq:redis://:" + SECRET + "@";
            assertThat(secrets.works(login + "127.0.0.1:1/" + OPTIONS)).isFalse();
            assertThat(secrets.works("redis-oq:redis-sentinel://:" + SECRET + "@127.0.0.1:1#main"))
                    .isFalse();
            assertThat(secrets.works("redis-oq:redis://:" + SECRET + "@127.0.0.1:1,127.0.0.1:2?timeout=1s"))
                    .isFalse();
            assertThat(secrets.works("redis-oq:redis-socket://:" + SECRET + "@/nowhere/redis.sock"))
                    .isFalse();
            assertThat(secrets.works("redis-oq:redis://me:" + SECRET + "@" + other.address()))
                    .as("an unknown user")
                    .isFalse();
            assertThat(secrets.works(login + other.address())).as("refused").isFalse();
            assertThat(secrets.works(login + redis.address() + OPTIONS)).isTrue();
            assertThat(secrets.works(login + "127.0.0.1:" + proxy.port() + "?timeout=1s", () -> cutOff(proxy)))
                    .as("cut off")
                    .isFalse();
            secrets.assertUnseen();
        }
    }
}
