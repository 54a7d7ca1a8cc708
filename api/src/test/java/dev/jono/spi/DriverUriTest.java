package dev.jono.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.ConfigurationException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DriverUriTest {
    private static DriverUri uri(String text) {
        ConnectionUrl url = ConnectionUrl.parse("acme:" + text);
        return DriverUri.parse(url, url.location(), Set.of("db", "dbs"), "db://host/name");
    }

    @Test
    void takesAllPartsApart() {
        DriverUri uri = uri("dbs://me:p%40ss+@h1:1,[::1]:2,h3/a%20b?X=1%262&y=%2B;z=#f%23");
        assertThat(uri.scheme()).isEqualTo("dbs");
        assertThat(uri.userInfo()).isEqualTo("me:p%40ss+");
        assertThat(DriverUri.decode("p%40ss+")).isEqualTo("p@ss+");
        assertThat(uri.hosts()).extracting(DriverUri.Host::name).containsExactly("h1", "::1", "h3");
        assertThat(uri.hosts()).extracting(host -> host.portOr(9)).containsExactly(1, 2, 9);
        assertThat(uri.path()).isEqualTo("/a b");
        assertThat(uri.options()).hasToString("{X=1&2, y=+, z=}");
        assertThat(uri.fragment()).isEqualTo("f#");
    }

    @Test
    void whatIsNotThereIsEmpty() {
        DriverUri uri = uri("db:///only/a/path");
        assertThat(uri.userInfo()).isNull();
        assertThat(uri.hosts()).isEmpty();
        assertThat(uri.path()).isEqualTo("/only/a/path");
        assertThat(uri.options()).isEmpty();
        assertThat(uri.fragment()).isNull();
        assertThat(uri("db://h").path()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "db://h?a=1&A=2 | option A is given twice",
                "db://h?a | NAME=VALUE",
                "db://h?a=%zz | option a contains a '%'",
                "db://h/%zz | the path contains a '%'",
                "db://h#%zz | the fragment contains a '%'",
                "db://h:0 | port 0 ",
                "db://h:70000 | port 70000 ",
                "db://h1,h2:70000 | port 70000 ",
                "db://h: | neither HOST nor HOST:PORT",
                "db://h,,i | neither HOST nor HOST:PORT",
                "db://h h | neither HOST nor HOST:PORT",
                "db://h?x=a@b | there is an '@' after the hosts",
                "http://h | begins with one of db, dbs",
                "h | begins with one of db, dbs"
            })
    void refusesWithTheReasonAndAnExample(String text, String reason) {
        assertThatThrownBy(() -> uri(text))
                .isInstanceOf(ConfigurationException.class)
                .hasNoCause()
                .hasMessageContaining(reason)
                .hasMessageContaining("acme:db://host/name");
    }

    /** Wherever a character falls that is not percent-encoded, and whatever the driver would make of the rest. */
    @ParameterizedTest
    @ValueSource(strings = {"@", "/", "#", "%", "?", "@/", "?a=b&", "/0?", "#/", ";@?#/%"})
    void passwordThatIsNotEncodedIsToldAndNothingOfItShown(String special) {
        for (String password :
                new String[] {"hunter" + special + "zwei", special + "zwei", "1234" + special + "zwei"}) {
            for (String rest : new String[] {"h", "h:1", "h:1,i:2/name", "h/name?a=1", "h#f"}) {
                assertThatThrownBy(() -> uri("db://me:" + password + "@" + rest))
                        .as(password + " " + rest)
                        .isInstanceOf(ConfigurationException.class)
                        .hasNoCause()
                        .hasMessageContaining("percent-encode it")
                        .hasMessageNotContaining("hunter")
                        .hasMessageNotContaining("1234")
                        .hasMessageNotContaining("zwei");
            }
        }
    }

    @Test
    void passwordWhoseHostIsForgottenIsNotShown() {
        for (String text : new String[] {"db://me:hunter2", "db://me:hunter2/name", "db://me:hunter2?a=1"}) {
            assertThatThrownBy(() -> uri(text))
                    .hasMessageContaining("percent-encode it")
                    .hasMessageNotContaining("hunter2");
        }
    }

    @Test
    void refusesWhatTheDriverDoesNotUse() {
        assertThatThrownBy(() -> uri("db://h?a=1&Bad=hunter2").refuseUnknownOptions(Set.of("a"), "the driver"))
                .hasMessageContaining("unknown option Bad")
                .hasMessageContaining("the driver")
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> uri("db://h#hunter2").refuseFragment()).hasMessageContaining("fragment");
        uri("db://h?A=1").refuseUnknownOptions(Set.of("a"), "the driver");
        uri("db://h").refuseFragment();
    }
}
