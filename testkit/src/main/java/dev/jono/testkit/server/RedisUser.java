package dev.jono.testkit.server;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A Redis that one test class owns, and a user on it that has only the rights that are listed:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final RedisUser REDIS = RedisUser.with("~app:* +get +set +hello");
 * }</pre>
 *
 * {@link #server} and {@link #cluster} give the test a connection with all rights.
 */
public final class RedisUser implements BeforeAllCallback, AfterAllCallback {
    private static final String NAME = "least";
    private static final String PASSWORD = "secret-of-the-least";

    private final String line;
    private final boolean clustered;
    private @Nullable RedisServer server;
    private @Nullable RedisCluster cluster;

    private RedisUser(String rights, boolean clustered) {
        this.line = "user " + NAME + " on >" + PASSWORD + " resetkeys resetchannels -@all " + rights;
        this.clustered = clustered;
    }

    /** A user on a single node. */
    public static RedisUser with(String rights) {
        return new RedisUser(rights, false);
    }

    /** A user on a Cluster. */
    public static RedisUser onCluster(String rights) {
        return new RedisUser(rights, true);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (isNested(context)) {
            return; // the enclosing class has started it
        }
        if (clustered) {
            cluster = RedisCluster.start(line);
        } else {
            server = RedisServer.builder().users(line).start();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (isNested(context)) {
            return;
        }
        if (server != null) {
            server.close();
            server = null;
        }
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }

    private static boolean isNested(ExtensionContext context) {
        return context.getParent().flatMap(ExtensionContext::getTestClass).isPresent();
    }

    /** {@code redis://user:password@host:port}. */
    public String uri() {
        String all = clustered ? cluster().uri() : server().uri();
        return all.replace("redis://", "redis://" + NAME + ":" + PASSWORD + "@");
    }

    /** The password, which no message may show. */
    public String password() {
        return PASSWORD;
    }

    /** The node. */
    public RedisServer server() {
        return Objects.requireNonNull(server, "no single node");
    }

    /** The Cluster. */
    public RedisCluster cluster() {
        return Objects.requireNonNull(cluster, "no Cluster");
    }
}
