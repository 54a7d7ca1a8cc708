package dev.jono.benchmarks.compare;

/** A storage with its durability settings, and which confirmed messages survive there. */
enum Storage {
    REDIS("Redis, AOF everysec", "all", "all but the last 1 to 2 s"),
    REDIS_ALWAYS("Redis, AOF always", "all", "all"),
    MONGO("MongoDB, journal", "all", "all"),
    POSTGRES("PostgreSQL, fsync", "all", "all"),
    RABBITMQ("RabbitMQ, durable classic queue, confirms", "all", "all"),
    RABBITMQ_QUORUM("RabbitMQ, quorum queue on one node, confirms", "all", "all"),
    BEANSTALKD("beanstalkd, memory", "nothing", "nothing"),
    BEANSTALKD_FSYNC("beanstalkd, binlog, fsync at every job", "all", "all"),
    SQLITE("SQLite, WAL, synchronous=FULL", "all", "all"),
    MEMORY("memory", "nothing", "nothing");

    private final String text;
    private final String kill;
    private final String power;

    Storage(String text, String kill, String power) {
        this.text = text;
        this.kill = kill;
        this.power = power;
    }

    /** Returns the text for tables. */
    String text() {
        return text;
    }

    /** Returns what survives {@code kill -9} of the server, or of the process if there is no server. */
    String survivesKill() {
        return kill;
    }

    /** Returns what survives the loss of power. */
    String survivesPowerLoss() {
        return power;
    }
}
