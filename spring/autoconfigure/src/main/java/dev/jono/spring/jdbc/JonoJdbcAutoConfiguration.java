package dev.jono.spring.jdbc;

import dev.jono.backend.sqlite.SqliteTx;
import dev.jono.spring.SharedStorage;
import dev.jono.spring.transaction.TransactionSource;
import dev.jono.support.postgres.PostgresTx;
import java.util.Set;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** Offers the JDBC transactions of the application to pushes, and its data source on PostgreSQL to queues. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            // Spring Boot 3
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"
        })
@ConditionalOnClass({DataSource.class, DataSourceUtils.class})
public final class JonoJdbcAutoConfiguration {
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PostgresTx.class)
    static class OnPostgres {
        @Bean
        TransactionSource jonoPostgresTransactions(ObjectProvider<DataSource> dataSources) {
            return new JdbcTransactionSource(Set.of("postgres", "keuss-postgres"), dataSources, PostgresTx::of);
        }

        @Bean
        @Lazy
        @ConditionalOnSingleCandidate(DataSource.class)
        SharedStorage jonoPostgresStorage(DataSource dataSource) {
            return new SharedDataSource(dataSource);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SqliteTx.class)
    static class OnSqlite {
        @Bean
        TransactionSource jonoSqliteTransactions(ObjectProvider<DataSource> dataSources) {
            return new JdbcTransactionSource(Set.of("sqlite"), dataSources, SqliteTx::of);
        }
    }
}
