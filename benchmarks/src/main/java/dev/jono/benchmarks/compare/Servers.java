package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/** The servers of a run, each started when it is first wanted, with its data on the disk. */
final class Servers implements AutoCloseable {
    private final Path folder;
    private final Map<Storage, Server> running = new EnumMap<>(Storage.class);
    private final Map<Storage, String> missing = new EnumMap<>(Storage.class);

    /** For data below this folder. */
    Servers(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
    }

    /**
     * The server of a storage.
     *
     * @throws IOException that says why there is none
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

    private static Server start(Storage storage, Path folder) throws IOException {
        return switch (storage) {
            case REDIS -> new RedisHost(folder, "everysec");
            case REDIS_ALWAYS -> new RedisHost(folder, "always");
            case MONGO -> new MongoHost();
            case RABBITMQ -> new RabbitHost(folder);
            case BEANSTALKD -> new BeanstalkHost(folder, false);
            case BEANSTALKD_FSYNC -> new BeanstalkHost(folder, true);
            case SQLITE, MEMORY -> new NoServer(folder);
        };
    }

    /** Those that ran. */
    Map<Storage, Server> running() {
        return running;
    }

    /** Bytes of all files below a folder. */
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

    /** A folder for files: the storage is in the contestant's own process. */
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

        @Override
        public long bytes() throws IOException {
            return sizeOf(folder);
        }

        @Override
        public String bytesAre() {
            return "bytes of the files";
        }

        @Override
        public void close() {}
    }
}
