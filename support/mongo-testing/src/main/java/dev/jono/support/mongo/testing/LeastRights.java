package dev.jono.support.mongo.testing;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.jono.testkit.server.MongoUsers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Creates users that have only the rights of the role in docs/backends/mongo.md. */
public final class LeastRights {
    /** Tests run in the folder of their module, which is one or two levels deep. */
    private static final Path PAGE = page();

    private static final List<String> ONE_DATABASE = List.of("convertToCapped");
    private static final String PASSWORD = "secret-of-the-least";

    private LeastRights() {}

    private static Path page() {
        Path page = Path.of("..", "docs", "backends", "mongo.md");
        return Files.exists(page) ? page : Path.of("..").resolve(page);
    }

    /** The role of the page, which is for the database {@code shop}, for another database. */
    private static BsonDocument role(String database) {
        try {
            String page = Files.readString(PAGE);
            int begin = page.indexOf("db.createRole(") + "db.createRole(".length();
            return BsonDocument.parse(
                    page.substring(begin, page.indexOf("\n})", begin) + 2).replace("\"shop", '"' + database));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates the role for a database, and a user with the database's name. Returns the URI of that user. */
    public static String uri(MongoUsers mongo, String database) {
        return uri(mongo, database, role(database));
    }

    /** As {@link #uri}, with signals and stats in the database of the queues. */
    public static String uriOfOneDatabase(MongoUsers mongo, String database) {
        BsonDocument role = role(database);
        BsonArray privileges = role.getArray("privileges");
        BsonDocument queues = privileges.get(0).asDocument();
        ONE_DATABASE.forEach(action -> queues.getArray("actions").add(new BsonString(action)));
        role.put("privileges", new BsonArray(List.of(queues)));
        return uri(mongo, database, role);
    }

    private static String uri(MongoUsers mongo, String database, BsonDocument role) {
        BsonDocument create = new BsonDocument("createRole", role.get("role"));
        create.putAll(role);
        create.remove("role");
        try (MongoClient client = MongoClients.create(mongo.uri("admin"))) {
            MongoDatabase admin = client.getDatabase("admin");
            admin.runCommand(create);
            admin.runCommand(new BsonDocument("createUser", new BsonString(database))
                    .append("pwd", new BsonString(PASSWORD))
                    .append("roles", new BsonArray(List.of(role.getString("role")))));
        }
        return mongo.uri(database, PASSWORD, "admin", database);
    }
}
