package dev.jono.signal.postgres;

import dev.jono.spi.Signaller;
import dev.jono.testkit.PluginConfigs;
import dev.jono.testkit.SignallerContract;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class PostgresSignallerContractTest extends SignallerContract {
    private static TestSchema schema;

    @BeforeAll
    static void nameSchema() {
        schema = TestSchema.in(PostgresServer.sharedUrl());
    }

    @AfterAll
    static void dropSchema() {
        schema.close();
    }

    @Override
    protected Signaller open(String namespace) {
        return new PostgresSignallerProvider()
                .open(PluginConfigs.builder(schema.jonoUrl())
                        .namespace(namespace)
                        .build());
    }
}
