package dev.jono.backend.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.ConfigurationException;
import dev.jono.QueueFactory;
import dev.jono.QueueFactoryBuilder;
import dev.jono.Storage;
import dev.jono.spi.ConnectionUrl;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "sqlite:q.db?mode=ro | unknown option mode",
                "sqlite:q.db?password=hunter2 | unknown option password",
                "sqlite:q.db?jono.history=1h&cache=shared | unknown option cache",
                "sqlite:q.db?jono.prefix=a | unknown option jono.prefix",
                "sqlite:q.db?jono.durability=some | jono.durability",
                "sqlite:q.db?jono.busy=soon | jono.busy",
                "sqlite:q.db&jono.busy=1s | jono.busy",
                "sqlite:file:q.db | a URI",
                "sqlite:file:/tmp/q.db?mode=ro | unknown option mode",
                "sqlite:jdbc:sqlite:q.db | a URI",
                "sqlite://host/q.db | a URI",
                "sqlite:mongodb://me:hunter2@h/x | a URI",
                "sqlite: | names no file"
            })
    void unknownPartsOfTheUrlAreRefusedByName(String url, String reason) {
        assertThatThrownBy(() -> Options.parse(ConnectionUrl.parse(url)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(reason)
                .hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @CsvSource({
        "sqlite:q.db, q.db",
        "sqlite:/tmp/q#1.db, /tmp/q#1.db",
        "sqlite:///tmp/q.db, /tmp/q.db",
        "sqlite:queue:1.db, queue:1.db"
    })
    void pathIsUsedAsWritten(String url, Path path) {
        assertThat((Object) Options.parse(ConnectionUrl.parse(url)).path()).isEqualTo(path);
    }

    @Test
    void signallerAndStatsHaveOnlyTheOptionsOfTheFile(@TempDir Path folder) {
        String file = "sqlite:" + folder.resolve("q.db");
        refused(QueueFactory.builder(file).signaller("sqlite:?jono.busy=1s"), "jono.busy");
        refused(QueueFactory.builder(file).stats("sqlite:?jono.history=1h"), "jono.history");
        refused(QueueFactory.builder("memory:").signaller(file + "?jono.history=1h"), "jono.history");
        refused(QueueFactory.builder(file).storage(new Storage() {}), "storage object");
        QueueFactory.builder("memory:")
                .signaller(file + "?jono.busy=1s")
                .connect()
                .close();
    }

    private static void refused(QueueFactoryBuilder factory, String reason) {
        assertThatThrownBy(factory::connect)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(reason);
    }
}
