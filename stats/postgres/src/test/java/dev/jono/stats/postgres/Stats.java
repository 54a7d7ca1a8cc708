package dev.jono.stats.postgres;

import dev.jono.spi.StatsStore;
import dev.jono.testkit.PluginConfigs;
import dev.jono.testkit.server.TestSchema;

/** Opens stats. */
final class Stats {
    private Stats() {}

    /**
     * Stats in a schema.
     *
     * @param options of Jono, each with an ampersand before it
     */
    static StatsStore open(TestSchema schema, String options, String namespace) {
        return new PostgresStatsProvider()
                .open(PluginConfigs.builder(schema.jonoUrl() + options)
                        .namespace(namespace)
                        .build());
    }
}
