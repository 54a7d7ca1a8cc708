/** Jono's API, its SPI, the engine, and the in-process backend, signaller and stats. */
module dev.jono {
    requires static transitive org.jspecify;
    requires static com.google.errorprone.annotations;
    requires org.slf4j;
    requires com.fasterxml.jackson.core;
    requires transitive com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.datatype.jdk8;
    requires com.fasterxml.jackson.datatype.jsr310;
    requires com.github.benmanes.caffeine;

    exports dev.jono;
    exports dev.jono.json;
    exports dev.jono.pipeline;
    exports dev.jono.spi;

    uses dev.jono.spi.BackendProvider;
    uses dev.jono.spi.SignallerProvider;
    uses dev.jono.spi.StatsProvider;

    provides dev.jono.spi.BackendProvider with
            dev.jono.memory.MemoryBackendProvider;
    provides dev.jono.spi.SignallerProvider with
            dev.jono.memory.LocalSignallerProvider;
    provides dev.jono.spi.StatsProvider with
            dev.jono.memory.MemStatsProvider;
}
