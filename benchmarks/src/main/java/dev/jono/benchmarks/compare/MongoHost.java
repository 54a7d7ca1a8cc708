package dev.jono.benchmarks.compare;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.testkit.server.MongoReplicaSet;
import dev.jono.testkit.server.MongoServer;
import java.util.List;
import org.bson.Document;

/** A MongoDB replica set of one node with the default settings of the journal. */
final class MongoHost implements Server {
    private final MongoReplicaSet servers;
    private final MongoClient client;
    private final String version;

    MongoHost() {
        this.servers = MongoReplicaSet.start(
                1,
                MongoServer.builder()
                        .onDisk()
                        .option("wiredTigerCacheSizeGB", "2")
                        .option("journalCommitInterval", "100"));
        this.client = MongoClients.create(servers.uri("admin"));
        this.version = client.getDatabase("admin")
                .runCommand(new Document("buildInfo", 1))
                .getString("version");
    }

    @Override
    public String url() {
        return servers.uri("compare");
    }

    @Override
    public String url(String database) {
        return servers.uri(database);
    }

    @Override
    public List<Long> pids() {
        return List.of(servers.nodes().get(0).pid());
    }

    @Override
    public String version() {
        return "MongoDB " + version;
    }

    @Override
    public String settings() {
        return "a replica set of one node, 2 GB cache, journalCommitInterval 100 ms; writes wait for the majority, which waits for"
                + " the journal (MongoDB's default; Jono asks for it)";
    }

    @Override
    public long bytes() {
        client.getDatabase("admin").runCommand(new Document("fsync", 1));
        long sum = 0;
        for (String database : client.listDatabaseNames()) {
            if (!List.of("admin", "config", "local").contains(database)) {
                Document stats = client.getDatabase(database).runCommand(new Document("dbStats", 1));
                sum += stats.get("dataSize", Number.class).longValue()
                        + stats.get("indexSize", Number.class).longValue();
            }
        }
        return sum;
    }

    @Override
    public String bytesAre() {
        return "dataSize and indexSize of dbStats, documents uncompressed";
    }

    @Override
    public void close() {
        client.close();
        servers.close();
    }
}
