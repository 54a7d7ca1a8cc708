/** What Jono's modules for PostgreSQL share. Applications use only {@link dev.jono.support.postgres.PostgresStorage}. */
module dev.jono.support.postgres {
    requires transitive dev.jono;
    requires transitive java.sql;
    requires static com.google.errorprone.annotations;
    requires com.zaxxer.hikari;
    requires java.naming;
    requires org.postgresql.jdbc;
    requires org.slf4j;

    exports dev.jono.support.postgres;
}
