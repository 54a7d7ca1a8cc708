package dev.jono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.memory.MemoryBackendProvider;
import dev.jono.spi.Backend;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.PluginConfig;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be connected is one clear error, which names what is wrong and what would be right. */
class ConnectTest {
    /** A second backend that calls itself {@code memory}. */
    public static final class Twin implements BackendProvider {
        @Override
        public String type() {
            return "memory";
        }

        @Override
        public Set<Capability> capabilities() {
            return Set.of();
        }

        @Override
        public Backend open(PluginConfig config) {
            throw new IllegalStateException("never chosen");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "nothing:x | no backend 'nothing' on the class path; found: hooked, memory",
                "sqlite:/q.db | for 'sqlite' add the artifact dev.jono:jono-backend-sqlite",
                "orders | 'orders' is not a Jono URL: expected TYPE:LOCATION",
                "memory:?jono.histroy=1h | unknown option jono.histroy for 'memory': known are jono.history",
                "memory:?jono.history=soon | option jono.history: 'soon' is not a duration",
                "memory:?jono.history=-1s | option jono.history: '-1s' is not a duration",
                "memory:?history=1h | unknown option history in 'memory:?***': known are jono.history"
            })
    void aUrlThatCannotBeMeantIsRefused(String url, String says) {
        assertThatThrownBy(() -> QueueFactory.connect(url))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(says);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "N:b", ":", "a b", "a\tb", "a\u0000"})
    void namespaceThatCouldBeAnothersIsRefused(String namespace) {
        assertThatThrownBy(() -> QueueFactory.builder("memory:").namespace(namespace))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("namespace '" + namespace + "'");
        QueueFactory.builder("memory:").namespace("Ünïcode/{a}.b-c_1").connect().close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "carrier-pigeon: | no signaller 'carrier-pigeon' on the class path; found: hooked, local",
                "redis-pubsub:redis://u:s3cret@h | add the artifact dev.jono:jono-signal-redis-pubsub",
                "local:?jono.loud=yes | unknown option jono.loud for 'local'",
                "local:x?loud=yes | unknown option loud in"
            })
    void aSignallerThatIsNotThereIsNamed(String signaller, String says) {
        assertThatThrownBy(() ->
                        QueueFactory.builder("memory:").signaller(signaller).connect())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(says)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void statsThatAreNotThereAreNamed() {
        assertThatThrownBy(
                        () -> QueueFactory.builder("memory:").stats("abacus:").connect())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("no stats 'abacus' on the class path; found: hooked, mem");
    }

    @Test
    void twoBackendsThatClaimOneNameAreAnError(@TempDir Path directory) throws Exception {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(BackendProvider.class.getName()), Twin.class.getName() + "\n");
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
            assertThatThrownBy(() ->
                            QueueFactory.builder("memory:").classLoader(loader).connect())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("two backend providers on the class path claim the name 'memory'")
                    .hasMessageContaining(Twin.class.getName())
                    .hasMessageContaining(MemoryBackendProvider.class.getName())
                    .hasMessageContaining("remove one of them");
        }
    }

    @Test
    void aFailedConnectLeavesNoThreadBehind() {
        assertThatThrownBy(
                        () -> QueueFactory.builder("memory:").stats("abacus:").connect())
                .isInstanceOf(ConfigurationException.class);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(t -> t.getName().startsWith("jono-") && !t.getName().equals("jono-clock"));
    }
}
