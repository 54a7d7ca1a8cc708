package dev.jono.support.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.testkit.PluginConfigs;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoolTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void poolOfAnySizeStartsWithoutAWarning(int size) {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        try (TestSchema schema = TestSchema.in(PostgresServer.sharedUrl())) {
            System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
            PostgresLink.open(
                            PluginConfigs.builder(schema.jonoUrl() + "&jono.pool=" + size)
                                    .build(),
                            Set.of())
                    .close();
        } finally {
            System.setErr(before);
        }
        assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain("WARN");
    }
}
