package dev.jono.support.postgres;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.jono.spi.PluginConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections that the plugins of one factory share: a pool of its own, or the {@code DataSource} of the application.
 * The last plugin that closes its link closes the pool. Thread-safe.
 */
final class PostgresConnections {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.postgres");
    /**
     * How long a call waits for a connection. Below the default operation timeout, so that the caller gets the failure of the
     * pool, which says that nothing was done, before the engine gives the call up. Above 5.1 s, because the pool tries to connect at
     * intervals that it doubles, and its tenth attempt comes then.
     */
    private static final long CHECKOUT_MILLIS = 7_000;

    /** How long a server that is silent has to answer on a connection that was idle. The check adds to the wait above. */
    private static final long VALIDATION_MILLIS = 1_000;

    private static final int MINIMUM_IDLE = 1;
    private static final long IDLE_MILLIS = 60_000;
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final DataSource source;
    private final DataSource unpooled;
    private final @Nullable HikariDataSource pool;
    private final PostgresOptions options;
    private final int isolation;
    private final SqlTexts texts;
    private final AtomicInteger users = new AtomicInteger(1);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock") private int borrowed;

    private PostgresConnections(
            DataSource source,
            DataSource unpooled,
            @Nullable HikariDataSource pool,
            PostgresOptions options,
            int isolation) {
        this.source = source;
        this.unpooled = unpooled;
        this.pool = pool;
        this.options = options;
        this.isolation = isolation;
        this.texts = new SqlTexts(options.schema());
    }

    /** Connects to the server in the URL, and creates the schema if it is missing. */
    static PostgresConnections connect(PluginConfig config, PostgresOptions options) {
        DataSource unpooled = PostgresLocation.dataSource(config.url());
        int isolation = PostgresSchema.prepare(unpooled, options);
        HikariDataSource pool = pool(unpooled, options.poolSize());
        return new PostgresConnections(pool, unpooled, pool, options, isolation);
    }

    /** Uses the connections of an application. */
    static PostgresConnections using(DataSource source, PostgresOptions options) {
        int isolation = PostgresSchema.prepare(source, options);
        return new PostgresConnections(source, source, null, options, isolation);
    }

    private static HikariDataSource pool(DataSource unpooled, int size) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("jono");
        config.setDataSource(unpooled);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(MINIMUM_IDLE);
        if (size > MINIMUM_IDLE) {
            config.setIdleTimeout(IDLE_MILLIS); // otherwise a warning says that it has no effect
        }
        config.setConnectionTimeout(CHECKOUT_MILLIS);
        config.setValidationTimeout(VALIDATION_MILLIS);
        config.setAutoCommit(false);
        config.setInitializationFailTimeout(-1); // the schema has just been read
        return new HikariDataSource(config);
    }

    PostgresOptions options() {
        return options;
    }

    SqlTexts texts() {
        return texts;
    }

    /** Whether transactions see what others commit meanwhile, without asking for it. */
    boolean readCommitted() {
        return isolation == Connection.TRANSACTION_READ_COMMITTED;
    }

    /** A connection for one transaction, to be given back with {@link #giveBack}. */
    Connection borrow() throws SQLException {
        return borrow(source);
    }

    private Connection borrow(DataSource from) throws SQLException {
        count(1);
        try {
            return from.getConnection();
        } catch (SQLException | RuntimeException | Error failure) {
            count(-1);
            throw failure;
        }
    }

    /** What was done stays done, even if the pool cannot take the connection back. */
    void giveBack(Connection connection) {
        try (connection) {
            if (!connection.isClosed() && !connection.getAutoCommit()) {
                connection.setAutoCommit(true);
            }
        } catch (SQLException broken) {
            LOG.debug("a connection could not be given back", broken);
        } finally {
            count(-1);
        }
    }

    private void count(int change) {
        lock.lock();
        try {
            borrowed += change;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * A connection to be kept, and to end with {@link #giveBack} or {@link #discard}. It is not one of the pool, unless the
     * application handed in a pool.
     */
    Connection open() throws SQLException {
        return borrow(unpooled);
    }

    /** Closes a connection in such a way that its pool drops it. */
    void discard(Connection connection) {
        try (connection) {
            if (unpooled instanceof HikariDataSource poolOfApplication) {
                poolOfApplication.evictConnection(connection); // otherwise its close() logs a warning
            }
            connection.abort(Runnable::run);
        } catch (SQLException broken) {
            LOG.debug("a connection broke before it was closed", broken);
        } finally {
            count(-1);
        }
    }

    void retain() {
        users.incrementAndGet();
    }

    void release() {
        if (users.decrementAndGet() == 0) {
            awaitUnused();
            if (pool != null) {
                pool.close();
            }
        }
    }

    /**
     * Lets calls in flight and the listening connection end, for a while. An application may close its own pool right
     * after.
     */
    private void awaitUnused() {
        lock.lock();
        try {
            long nanos = CLOSE_NANOS;
            while (borrowed > 0 && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
