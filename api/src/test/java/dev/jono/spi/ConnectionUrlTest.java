package dev.jono.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jono.ConfigurationException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionUrlTest {
    @Test
    void splitsTypeAndLocationAtTheFirstColon() {
        ConnectionUrl url = ConnectionUrl.parse("redis-oq:redis://localhost:6379/2");
        assertThat(url.type()).isEqualTo("redis-oq");
        assertThat(url.location()).isEqualTo("redis://localhost:6379/2");
        assertThat(ConnectionUrl.parse("memory:").location()).isEmpty();
    }

    @Test
    void takesOutItsOwnOptionsAndLeavesTheDrivers() {
        ConnectionUrl url =
                ConnectionUrl.parse("mongo:mongodb://h/db?w=1&jono.prefix=a%26b+c&retryWrites=true&jono.x=");
        assertThat(url.location()).isEqualTo("mongodb://h/db?w=1&retryWrites=true");
        assertThat(url.option("prefix")).isEqualTo("a&b c");
        assertThat(url.option("x")).isEmpty();
        assertThat(url.option("w")).isNull();
        assertThat(ConnectionUrl.parse("memory:?jono.history=1h").location()).isEmpty();
    }

    @Test
    void readsDurations() {
        ConnectionUrl url = ConnectionUrl.parse("memory:?jono.history=90s&jono.bad=soon");
        assertThat(url.durationOption("history")).isEqualTo(Duration.ofSeconds(90));
        assertThat(url.durationOption("absent")).isNull();
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> url.durationOption("bad"))
                .withMessageContaining("jono.bad")
                .withMessageContaining("'soon'");
    }

    @Test
    void readsDurationsThatAreLongerThanZero() {
        ConnectionUrl url = ConnectionUrl.parse("memory:?jono.expire=1s&jono.zero=0s");
        assertThat(url.positiveDurationOption("expire")).isEqualTo(Duration.ofSeconds(1));
        assertThat(url.positiveDurationOption("absent")).isNull();
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> url.positiveDurationOption("zero"))
                .withMessage("option jono.zero must be longer than zero");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "memory",
                ":x",
                "Memory:",
                "2x:",
                "a b:",
                "memory:?jono.history",
                "memory:?jono.=1",
                "memory:?jono.a=1&jono.a=2",
                "memory:?jono.a=50%",
                "acme:db://h?jono.a=1#fragment"
            })
    void refusesWhatIsNoUrlOrOption(String text) {
        assertThatExceptionOfType(ConfigurationException.class).isThrownBy(() -> ConnectionUrl.parse(text));
    }

    @Test
    void refusesOptionsThatThePluginDoesNotKnow() {
        ConnectionUrl url = ConnectionUrl.parse("memory:?jono.histroy=1h");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> url.refuseUnknownOptions(Set.of("history")))
                .withMessageContaining("jono.histroy")
                .withMessageContaining("jono.history");
        assertThatCode(() -> url.refuseUnknownOptions(Set.of("histroy"))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acme:db://h/0&jono.a=1",
                "acme:db://h/0#jono.a=1",
                "acme:db://h?x=1;jono.a=1",
                "acme:db://h?x=1?jono.a=1",
                "acme:db://h?x=1#jono.a=1",
                "acme:db://h?jono.b=1;jono.a=1",
                "acme:db://h?jono.b=1?jono.a=1"
            })
    void refusesOptionsOfJonosInAWrongPlaceByName(String text) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> ConnectionUrl.parse(text))
                .withMessageContaining("jono.a")
                .withMessageContaining("wrong place");
    }

    @Test
    void refusesOptionsWhereTheLocationHasNone() {
        ConnectionUrl url = ConnectionUrl.parse("acme:place?mode=hunter2&jono.history=1h&hunter2");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> url.plainLocation(Set.of("history")))
                .withMessageContaining("unknown option mode, ***")
                .withMessageContaining("jono.history")
                .withMessageNotContaining("hunter2");
        assertThat(ConnectionUrl.parse("acme:place?jono.history=1h").plainLocation(Set.of()))
                .isEqualTo("place");
    }

    @Test
    void refusesOptionsOfAConnectionThatIsShared() {
        ConnectionUrl url = ConnectionUrl.parse("acme:?jono.timeout=1s");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> url.refuseConnectionOptions(Set.of("prefix", "timeout")))
                .withMessageContaining("jono.timeout")
                .withMessageContaining("shares the backend's connection");
        assertThatCode(() -> url.refuseConnectionOptions(Set.of("prefix"))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis-oq:redis://user:hunter2@h:1/0 | redis-oq:redis://***@h:1/0",
                "redis-oq:redis://user:hun/c?r@et@h:1/0 | redis-oq:redis://***",
                "redis-oq:redis://user:hunter2 | redis-oq:redis://***",
                "mongo:mongodb://h1,h2:2/db?replicaSet=rs0&w=1 | mongo:mongodb://h1,h2:2/db?replicaSet=rs0&w=1",
                "mongo:mongodb://h/db?tlsCertificateKeyFilePassword=hunter2&w=1 | mongo:mongodb://h/db?***&w=1",
                "mongo:mongodb://h/?authMechanismProperties=AWS_SESSION_TOKEN:hunter2 | mongo:mongodb://h/?***",
                "mongo:mongodb://h/?madeUp=hunter2&hunter2&authSource=<hunter2> | mongo:mongodb://h/?***&***&***",
                "sqlite:/home/me@corp/q.db?password=hunter2 | sqlite:/home/me@corp/q.db?***",
                "acme:user:hunter2@h | acme:***@h",
                "acme:user:hun//er2@h | acme:***@h"
            })
    void printsOnlyWhatIsKnownToBeHarmless(String text, String printed) {
        assertThat(ConnectionUrl.parse(text)).hasToString(printed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Redis://user:hunter2@h", "USER:hunter2@h", "//user:hunter2@h", "A:b:hunter2//x@h?hunter2"})
    void whatIsNoUrlIsNotPrintedEither(String text) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> ConnectionUrl.parse(text))
                .withMessageNotContaining("hunter2");
    }
}
