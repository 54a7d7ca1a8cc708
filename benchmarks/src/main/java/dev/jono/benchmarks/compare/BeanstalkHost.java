package dev.jono.benchmarks.compare;

import dev.jono.testkit.server.ServerBinary;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A beanstalkd server, in memory or with a binlog that is synced at every job. */
final class BeanstalkHost implements Server {
    private final Path folder;
    private final boolean binlog;
    private final int port = ServerProcess.freePort();
    private final ServerProcess process;
    private final String version;

    BeanstalkHost(Path folder, boolean binlog) throws IOException {
        this.folder = folder;
        this.binlog = binlog;
        String program = ServerBinary.named("beanstalkd").require().toString();
        // By default a job has at most 64 KiB, which is enough here.
        List<String> command = new ArrayList<>(List.of(program, "-l", "127.0.0.1", "-p", Integer.toString(port)));
        if (binlog) {
            command.addAll(List.of("-b", folder.toAbsolutePath().toString(), "-f", "0"));
        }
        Path log = folder.resolveSibling(folder.getFileName() + ".log");
        this.process = new ServerProcess(log, Map.of(), command);
        process.awaitPort(port, "beanstalkd", log);
        Process asked = new ProcessBuilder(program, "-v").start();
        this.version =
                new String(asked.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).trim();
    }

    @Override
    public String url() {
        return Integer.toString(port);
    }

    @Override
    public List<Long> pids() {
        return List.of(process.pid());
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public String settings() {
        return binlog ? "-b, -f 0: fsync at every job" : "no binlog";
    }

    @Override
    public long bytes() throws IOException {
        if (binlog) {
            return written();
        }
        String pages =
                Files.readString(Path.of("/proc/" + process.pid() + "/statm")).split(" ", -1)[1];
        return 4096 * Long.parseLong(pages);
    }

    /** Returns the length of the files without the zeros at their end: beanstalkd creates files of 10 MiB. */
    private long written() throws IOException {
        long sum = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "binlog.*")) {
            for (Path file : files) {
                byte[] bytes = Files.readAllBytes(file);
                int end = bytes.length;
                while (end > 0 && bytes[end - 1] == 0) {
                    end--;
                }
                sum += end;
            }
        }
        return sum;
    }

    @Override
    public String bytesAre() {
        return binlog ? "bytes written to its files" : "resident memory";
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
