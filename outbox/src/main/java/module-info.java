/** Messages that are stored in a table of the application and relayed to queues. */
module dev.jono.outbox {
    requires transitive dev.jono;
    requires transitive java.sql;
    requires static com.google.errorprone.annotations;
    requires org.slf4j;

    exports dev.jono.outbox;
}
