package dev.jono.spring.jdbc;

import dev.jono.Tx;
import dev.jono.spring.transaction.TransactionSource;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The transactions of the data sources of the application, for the backends of one kind of database. */
final class JdbcTransactionSource implements TransactionSource {
    private final Set<String> backends;
    private final ObjectProvider<DataSource> dataSources;
    private final Function<Connection, Tx> tx;

    /**
     * Of these data sources.
     *
     * @param backends the types of the backends
     * @param tx makes what a push gets
     */
    JdbcTransactionSource(Set<String> backends, ObjectProvider<DataSource> dataSources, Function<Connection, Tx> tx) {
        this.backends = backends;
        this.dataSources = dataSources;
        this.tx = tx;
    }

    @Override
    public List<Current> find(String wanted) {
        if (!backends.contains(wanted)) {
            return List.of();
        }
        List<Current> found = new ArrayList<>();
        for (DataSource each : dataSources.stream().toList()) {
            if (TransactionSynchronizationManager.getResource(each) instanceof ConnectionHolder holder) {
                Connection connection = DataSourceUtils.getConnection(each);
                DataSourceUtils.releaseConnection(connection, each); // it stays open until the end of the transaction
                found.add(new Current(each, holder, tx.apply(connection)));
            }
        }
        return found;
    }
}
