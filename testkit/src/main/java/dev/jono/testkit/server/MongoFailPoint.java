package dev.jono.testkit.server;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a server of {@link #replicaSet} answer commands with errors, by MongoDB's fail point {@code failCommand} (<a
 * href="https://github.com/mongodb/mongo/wiki/The-%22failCommand%22-fail-point">its description</a>). Closing it turns
 * it off.
 */
public final class MongoFailPoint implements AutoCloseable {
    private static final int WRITE_CONCERN_TIMEOUT = 64;

    private final MongoServer node;

    private MongoFailPoint(MongoServer node) {
        this.node = node;
    }

    /** Starts a replica set of one server with fail points enabled. */
    public static MongoReplicaSet replicaSet() {
        return MongoReplicaSet.start(1, MongoServer.builder().parameter("enableTestCommands", "1"));
    }

    /**
     * Refuses a command with an error. The command has no effect.
     *
     * @param skip how many of these commands succeed before
     * @param code MongoDB's error code
     */
    public static MongoFailPoint refusing(MongoReplicaSet set, String command, int skip, int code) {
        return on(set, Map.of("skip", skip), Map.of("failCommands", List.of(command), "errorCode", code));
    }

    /**
     * Refuses the next of these commands with an error. The command has no effect.
     *
     * @param code MongoDB's error code
     */
    public static MongoFailPoint refusingNext(MongoReplicaSet set, List<String> commands, int code) {
        return on(set, Map.of("times", 1), Map.of("failCommands", commands, "errorCode", code));
    }

    /**
     * Executes the next of these commands, and reports that no majority confirmed them, as if the majority was lost.
     *
     * @param times the number of commands; note that the driver repeats a commit once
     */
    public static MongoFailPoint unconfirmed(MongoReplicaSet set, String command, int times) {
        return unconfirmed(set, Map.of("times", times), command, WRITE_CONCERN_TIMEOUT);
    }

    /** As {@link #unconfirmed(MongoReplicaSet, String, int)}, for the next command, with this error code of MongoDB. */
    public static MongoFailPoint unconfirmedWith(MongoReplicaSet set, String command, int code) {
        return unconfirmed(set, Map.of("times", 1), command, code);
    }

    /**
     * As {@link #unconfirmed(MongoReplicaSet, String, int)}, for all of these commands after the first ones.
     *
     * @param skip how many of these commands are confirmed before
     */
    public static MongoFailPoint unconfirmedBehind(MongoReplicaSet set, String command, int skip) {
        return unconfirmed(set, Map.of("skip", skip), command, WRITE_CONCERN_TIMEOUT);
    }

    private static MongoFailPoint unconfirmed(MongoReplicaSet set, Object mode, String command, int code) {
        return on(
                set,
                mode,
                Map.of(
                        "failCommands",
                        List.of(command),
                        "writeConcernError",
                        Map.of("code", code, "errmsg", "waiting for replication was ended")));
    }

    private static MongoFailPoint on(MongoReplicaSet set, Object mode, Map<String, ?> data) {
        MongoServer node = set.nodes().get(0);
        configure(node, mode, data);
        return new MongoFailPoint(node);
    }

    private static void configure(MongoServer node, Object mode, Map<String, ?> data) {
        Map<String, Object> command = new LinkedHashMap<>();
        command.put("configureFailPoint", "failCommand");
        command.put("mode", mode);
        command.put("data", data);
        node.call("admin", command);
    }

    @Override
    public void close() {
        configure(node, "off", Map.of());
    }
}
