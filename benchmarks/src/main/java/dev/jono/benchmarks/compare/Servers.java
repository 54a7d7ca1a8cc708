package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.Folders;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/** The servers of a run, with their data on disk. Each starts when it is first needed. */
final class Servers implements AutoCloseable {
    private final Path folder;
    private final Map<Storage, Server> running = Collections.synchronizedMap(new EnumMap<>(Storage.class));
    private final Map<Storage, String> missing = Collections.synchronizedMap(new EnumMap<>(Storage.class));
    private int fresh;

    /** Servers with their data below this folder. */
    Servers(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
    }

    /**
     * Returns the server of a storage, and starts it first if needed. Threads may call it at the same time for
     * different storages.
     *
     * @throws IOException if the server cannot be started; its message is the reason
     */
    Server of(Storage storage) throws IOException {
        String why = missing.get(storage);
        if (why != null) {
            throw new IOException(why);
        }
        Server server = running.get(storage);
        if (server == null) {
            try {
                server = start(storage, Files.createDirectories(folder.resolve(storage.name())));
            } catch (IOException | TestAbortedException | IllegalStateException e) {
                missing.put(storage, String.valueOf(e.getMessage()));
                throw new IOException(e.getMessage(), e);
            }
            running.put(storage, server);
        }
        return server;
    }

    /** Starts a further, empty server; the caller closes it. */
    Server fresh(Storage storage) throws IOException {
        return start(storage, Files.createDirectories(folder.resolve(storage.name() + "-" + ++fresh)));
    }

    private static Server start(Storage storage, Path folder) throws IOException {
        return switch (storage) {
            case REDIS -> new RedisHost(folder, "everysec");
            case REDIS_ALWAYS -> new RedisHost(folder, "always");
            case MONGO -> new MongoHost();
            case POSTGRES -> new PostgresHost();
            case RABBITMQ, RABBITMQ_QUORUM -> new RabbitHost(folder);
            case BEANSTALKD -> new BeanstalkHost(folder, false);
            case BEANSTALKD_FSYNC -> new BeanstalkHost(folder, true);
            case SQLITE, MEMORY -> new NoServer(folder);
        };
    }

    /** Returns the servers that were started. */
    Map<Storage, Server> running() {
        return running;
    }

    /** Returns the bytes of all files below a folder. */
    static long sizeOf(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(folder)) {
            files = walk.filter(Files::isRegularFile).toList();
        }
        long sum = 0;
        for (Path file : files) {
            sum += Files.exists(file) ? Files.size(file) : 0;
        }
        return sum;
    }

    @Override
    public void close() throws IOException {
        for (Server server : new ArrayList<>(running.values())) {
            server.close();
        }
        running.clear();
        Folders.delete(folder);
    }

    /** A folder for files, if the storage is in the process of the contestant. */
    private record NoServer(Path folder) implements Server {
        @Override
        public String url() {
            return folder.toAbsolutePath().toString();
        }

        @Override
        public List<Long> pids() {
            return List.of();
        }

        @Override
        public String version() {
            return "";
        }

        @Override
        public String settings() {
            return "in the process";
        }

        /** Counts the used pages. The size of the files would be too large, because of free pages and the log. */
        @Override
        public long bytes() throws IOException {
            long sum = 0;
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.db")) {
                for (Path file : files) {
                    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                            Statement statement = connection.createStatement();
                            ResultSet used = statement.executeQuery("SELECT (page_count - freelist_count) * page_size"
                                    + " FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()")) {
                        sum += used.getLong(1);
                    } catch (SQLException e) {
                        throw new IOException(e);
                    }
                }
            }
            return sum;
        }

        @Override
        public String bytesAre() {
            return "bytes of the pages in use";
        }

        @Override
        public void close() {}
    }
}
