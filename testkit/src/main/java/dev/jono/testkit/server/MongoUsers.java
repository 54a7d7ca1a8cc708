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
 * A MongoDB replica set that one test class owns: one node, which requires authentication. Its administrator may create
 * the users that the test needs:
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

    /** It starts before the first test of the class, and is closed after the last one. */
    public static MongoUsers start() {
        return new MongoUsers();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        if (isNested(context)) {
            return; // the enclosing class has started it
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

    /** The URI of a database for the administrator, who has all rights. */
    public String uri(String database) {
        return uri(ADMINISTRATOR, PASSWORD, "admin", database);
    }

    /**
     * The URI of a database for a user.
     *
     * @param source the database in which the user was created
     */
    public String uri(String user, String password, String source, String database) {
        return Objects.requireNonNull(set, "the server runs only during the tests of a class")
                        .uri(database)
                        .replace("mongodb://", "mongodb://" + user + ':' + password + '@')
                + "&authSource=" + source;
    }
}
