package dev.jono.spring.jdbc;

import dev.jono.backend.sqlite.SqliteTx;
import dev.jono.spring.transaction.TransactionSource;
import dev.jono.support.postgres.PostgresTx;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceUtils;

/** Offers the JDBC transactions of the application to pushes. */
@AutoConfiguration
@ConditionalOnClass({DataSource.class, DataSourceUtils.class})
public final class JonoJdbcAutoConfiguration {
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PostgresTx.class)
    static class OnPostgres {
        @Bean
        TransactionSource jonoPostgresTransactions(ObjectProvider<DataSource> dataSources) {
            return new JdbcTransactionSource("postgres", dataSources, PostgresTx::of);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SqliteTx.class)
    static class OnSqlite {
        @Bean
        TransactionSource jonoSqliteTransactions(ObjectProvider<DataSource> dataSources) {
            return new JdbcTransactionSource("sqlite", dataSources, SqliteTx::of);
        }
    }
}
