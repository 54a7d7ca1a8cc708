/** Jobs: typed work with state, progress and results, on queues. */
module dev.jono.jobs {
    requires transitive dev.jono;
    requires static transitive org.jspecify;
    requires static com.google.errorprone.annotations;
    requires com.cronutils;
    requires com.fasterxml.jackson.databind;
    requires org.slf4j;

    exports dev.jono.jobs;
    exports dev.jono.jobs.spi;

    uses dev.jono.jobs.spi.JobStoreProvider;

    provides dev.jono.jobs.spi.JobStoreProvider with
            dev.jono.jobs.memory.MemoryJobStoreProvider;
}
