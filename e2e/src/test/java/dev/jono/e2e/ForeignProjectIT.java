package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A project of somebody else's, made of the README's own snippets: its dependencies, its program and its commands, run
 * as they stand. It must build, print what the README says, and warn of nothing.
 *
 * <p>Nothing is installed for it. Its local repository is a folder of links to the one of this build, which holds all
 * libraries and plugins by now, so that Maven can work offline; only our own artifacts lie in it as files: the jars and
 * the flattened poms that {@code mvn install} would put there. So the test neither needs nor leaves an artifact of ours
 * in anybody's local repository, and cannot meet an old one.
 */
class ForeignProjectIT {
    private static final String VERSION = System.getProperty("jono.version", "");

    @TempDir
    Path directory;

    /** Before the folder goes: what it links to stays. */
    @AfterEach
    void unlink() throws IOException {
        try (var all = Files.walk(directory)) {
            for (Path link : all.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        }
    }

    @Test
    void readmesProgramBuildsAndRunsWithoutAWarning() throws Exception {
        Path project = Files.createDirectories(directory.resolve("project"));
        Path sources = Files.createDirectories(project.resolve("src/main/java"));
        Files.writeString(project.resolve("pom.xml"), pom());
        Files.writeString(sources.resolve("Hello.java"), Checkout.snippet("program"));
        Path mavenLog = directory.resolve("mvn.log");
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        Process shell = start(project, mavenLog, out, err);
        try {
            assertThat(shell.waitFor(100, TimeUnit.SECONDS))
                    .as("the README's commands end")
                    .isTrue();
        } finally {
            shell.destroyForcibly();
        }
        String maven = Files.exists(mavenLog) ? Files.readString(mavenLog) : "Maven did not run";
        String errors = Files.readString(err);
        assertThat(shell.exitValue()).as("%s%n%s", maven, errors).isZero();
        assertThat(maven).doesNotContain("[WARNING]", "[ERROR]");
        assertThat(Files.readString(out)).isEqualTo(Checkout.snippet("output"));
        assertThat(errors.lines()).noneMatch(line -> line.matches("(?i).*\\b(warn|warning|error|exception)\\b.*"));
    }

    private static Process start(Path project, Path mavenLog, Path out, Path err) throws IOException {
        Path commands = Files.createDirectories(project.resolveSibling("bin"));
        Path repository = repository(project.resolveSibling("repository"));
        // What Maven itself prints on a new JDK is not ours: it goes to a file of its own.
        String maven = "#!/bin/sh\nexec '" + Path.of(System.getProperty("maven.home"), "bin", "mvn") + "' -o -B "
                + settings() + "-Dmaven.repo.local='" + repository + "' \"$@\" >>'" + mavenLog + "' 2>&1\n";
        Files.writeString(commands.resolve("mvn"), maven);
        Files.setPosixFilePermissions(commands.resolve("mvn"), PosixFilePermissions.fromString("rwx------"));
        ProcessBuilder builder = new ProcessBuilder("sh", "-e", "-c", Checkout.snippet("run"))
                .directory(project.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        Map<String, String> environment = builder.environment();
        String java = System.getProperty("java.home");
        environment.put("JAVA_HOME", java);
        environment.put("PATH", commands + ":" + Path.of(java, "bin") + ":" + environment.get("PATH"));
        environment.keySet().removeAll(List.of("MAVEN_OPTS", "MAVEN_ARGS", "MAVEN_BASEDIR", "JAVA_TOOL_OPTIONS"));
        return builder.start();
    }

    /** The settings of this build, where it was given any. */
    private static String settings() {
        String file = System.getProperty("jono.settings", "").replaceFirst("^file:", "");
        return !file.isEmpty() && Files.exists(Path.of(file)) ? "-s '" + file + "' " : "";
    }

    private static Path repository(Path folder) throws IOException {
        Path existing = Path.of(System.getProperty("jono.localRepository"));
        linkAllBut("dev", existing, folder);
        linkAllBut("jono", existing.resolve("dev"), folder.resolve("dev"));
        Path ours = folder.resolve("dev/jono");
        put(ours, "jono-bom", "pom", Checkout.root().resolve("bom/.flattened-pom.xml"));
        for (String module : List.of("api", "backend-sqlite")) {
            Path built = Checkout.root().resolve(module);
            String artifact = "jono-" + module;
            put(ours, artifact, "pom", built.resolve(".flattened-pom.xml"));
            put(ours, artifact, "jar", built.resolve("target/" + artifact + "-" + VERSION + ".jar"));
        }
        return folder;
    }

    private static void linkAllBut(String except, Path from, Path to) throws IOException {
        Files.createDirectories(to);
        if (!Files.isDirectory(from)) {
            return;
        }
        try (var children = Files.list(from)) {
            for (Path child : children.toList()) {
                if (!child.endsWith(except)) {
                    Files.createSymbolicLink(to.resolve(child.getFileName()), child.toRealPath());
                }
            }
        }
    }

    private static void put(Path group, String artifact, String type, Path file) throws IOException {
        assertThat(file).as("built by 'mvn verify' from the root").exists();
        Path folder = Files.createDirectories(group.resolve(artifact).resolve(VERSION));
        Files.copy(file, folder.resolve(artifact + "-" + VERSION + "." + type));
    }

    /** The README's dependencies in a pom of somebody else's, with the plugins that this build has already. */
    private static String pom() throws IOException {
        String dependencies = Checkout.snippet("dependencies");
        assertThat(dependencies)
                .as("the README names the version that is being built")
                .contains(VERSION);
        StringBuilder plugins = new StringBuilder();
        for (String plugin : List.of("maven-dependency-plugin", "maven-resources-plugin", "maven-compiler-plugin")) {
            plugins.append("<plugin><groupId>org.apache.maven.plugins</groupId><artifactId>")
                    .append(plugin)
                    .append("</artifactId><version>")
                    .append(Checkout.pluginVersion(plugin))
                    .append("</version></plugin>\n");
        }
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>com.example</groupId>
                  <artifactId>hello</artifactId>
                  <version>1</version>
                  <properties>
                    <maven.compiler.release>17</maven.compiler.release>
                    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                  </properties>
                """
                + dependencies
                + "<build><pluginManagement><plugins>\n"
                + plugins
                + "</plugins></pluginManagement></build>\n</project>\n";
    }
}
