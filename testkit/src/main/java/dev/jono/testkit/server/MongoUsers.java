package dev.jono.testkit.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A MongoDB replica set of a test class's own that asks for users and passwords, of one node, with an administrator, who
 * may make the users that the test wants:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final MongoUsers MONGO = MongoUsers.start();
 * }</pre>
 */
public final class MongoUsers implements BeforeAllCallback, AfterAllCallback {
    private static final String ADMINISTRATOR = "administrator";
    private static final String PASSWORD = "secret-of-the-administrator";

    private @Nullable MongoReplicaSet set;

    private MongoUsers() {}

    /** Started before the first test of the class, ended behind its last. */
    public static MongoUsers start() {
        return new MongoUsers();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (isNested(context)) {
            return; // started for the class around it
        }
        MongoReplicaSet started = MongoReplicaSet.start(1, MongoServer.builder().authorization("sharedByTheMembers"));
        set = started;
        Map<String, Object> user = new LinkedHashMap<>();
        user.put("createUser", ADMINISTRATOR);
        user.put("pwd", PASSWORD);
        user.put("roles", List.of("root"));
        started.awaitPrimary().call("admin", user);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        MongoReplicaSet started = set;
        if (started != null && !isNested(context)) {
            started.close();
            set = null;
        }
    }

    private static boolean isNested(ExtensionContext context) {
        return context.getParent().flatMap(ExtensionContext::getTestClass).isPresent();
    }

    /** The URI of a database for its administrator, who may do everything. */
    public String uri(String database) {
        return uri(ADMINISTRATOR, PASSWORD, "admin", database);
    }

    /**
     * The URI of a database for a user.
     *
     * @param source the database in which the user was made
     */
    public String uri(String user, String password, String source, String database) {
        return Objects.requireNonNull(set, "it runs only during the tests of a class")
                        .uri(database)
                        .replace("mongodb://", "mongodb://" + user + ':' + password + '@')
                + "&authSource=" + source;
    }
}
