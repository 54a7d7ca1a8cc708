package dev.jono.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.jono.ConfigurationException;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
                "memory:?jono.a=1&jono.a=2"
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

    @Test
    void neverPrintsCredentials() {
        assertThat(ConnectionUrl.parse("redis-oq:redis://user:s3cret@h:1/0")).hasToString("redis-oq:redis://***@h:1/0");
        assertThat(ConnectionUrl.parse("redis-oq:redis://user:s3/c?r@et@h:1/0"))
                .hasToString("redis-oq:redis://***@h:1/0");
        assertThat(ConnectionUrl.parse("mongo:mongodb://h/db?tlsCertificateKeyFilePassword=s3cret&w=1")
                        .toString())
                .doesNotContain("s3cret")
                .endsWith("&w=1");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> ConnectionUrl.parse("Redis://user:s3cret@h"))
                .withMessageNotContaining("s3cret");
    }
}
