/** Queues and jobs in a browser and by REST. */
module dev.jono.dashboard {
    requires transitive dev.jono;
    requires transitive dev.jono.jobs;
    requires static transitive jakarta.servlet;
    requires static transitive org.jspecify;
    requires static com.google.errorprone.annotations;
    requires com.fasterxml.jackson.databind;
    requires gg.jte.runtime;
    requires org.slf4j;
    requires static java.compiler;

    exports dev.jono.dashboard;
}
