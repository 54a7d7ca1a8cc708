package dev.jono.benchmarks.compare;

/** Where messages lie, and what survives there of what was acknowledged. */
enum Storage {
    REDIS("Redis, AOF everysec", "all", "all but the last 1 to 2 s"),
    REDIS_ALWAYS("Redis, AOF always", "all", "all"),
    MONGO("MongoDB, journal", "all", "all"),
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

    /** For people. */
    String text() {
        return text;
    }

    /** What survives {@code kill -9} of the server, or of the process where there is no server. */
    String survivesKill() {
        return kill;
    }

    /** What survives the loss of power. */
    String survivesPowerLoss() {
        return power;
    }
}
