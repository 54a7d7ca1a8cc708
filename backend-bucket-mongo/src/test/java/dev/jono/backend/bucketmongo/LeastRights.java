package dev.jono.backend.bucketmongo;

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

/** Users with the rights that the command in docs/backends/mongo.md grants, and no others. */
final class LeastRights {
    private static final Path PAGE = Path.of("..", "docs", "backends", "mongo.md");
    private static final String PASSWORD = "secret-of-the-least";

    private LeastRights() {}

    /** The role of the page, for another database than {@code shop}. */
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

    /** Creates the role and a user of the same name for a new database; returns the user's URI. */
    static String uri(MongoUsers mongo, String database) {
        BsonDocument role = role(database);
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
