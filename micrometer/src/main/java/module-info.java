/** Metrics, observations and trace context of queues and jobs. */
module dev.jono.micrometer {
    requires transitive dev.jono;
    requires static transitive dev.jono.jobs;
    requires static transitive org.jspecify;
    requires static com.google.errorprone.annotations;
    requires transitive micrometer.core;
    requires transitive micrometer.observation;
    requires transitive micrometer.commons;
    requires static transitive micrometer.tracing;
    requires org.slf4j;

    exports dev.jono.micrometer;
    exports dev.jono.micrometer.tracing;
}
