package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Maven for foreign projects, which use the artifacts of this build like any other project.
 *
 * <p>Nothing is installed for them. Their local repository is a folder of links to the local repository of this build.
 * Only Jono's artifacts are files in it: the jars and the flattened poms that {@code mvn install} would put there. So
 * the tests neither need nor leave Jono's artifacts in the real local repository, and cannot use old ones. Libraries
 * that they download are kept behind the links for the next run.
 */
final class ForeignMaven implements AutoCloseable {
    private static final String VERSION = System.getProperty("jono.version", "");
    private static final long MINUTES = 5;

    private final Path directory;
    private final Path repository;

    /**
     * Creates the local repository.
     *
     * @param directory the folder for it and the projects
     */
    ForeignMaven(Path directory) throws IOException {
        this.directory = directory;
        this.repository = directory.resolve("repository");
        Path existing = Path.of(System.getProperty("jono.localRepository"));
        linkAllBut("dev", existing, repository);
        linkAllBut("jono", existing.resolve("dev"), repository.resolve("dev"));
        Path ours = repository.resolve("dev/jono");
        put(ours, "jono-bom", "pom", Checkout.root().resolve("bom/.flattened-pom.xml"));
        for (String module : Checkout.libraries()) {
            Path built = Checkout.root().resolve(module);
            String artifact = "jono-" + module.replace('/', '-');
            put(ours, artifact, "pom", built.resolve(".flattened-pom.xml"));
            put(ours, artifact, "jar", built.resolve("target/" + artifact + "-" + VERSION + ".jar"));
        }
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

    /** The version of Jono that is being built. */
    static String version() {
        return VERSION;
    }

    /** The command {@code mvn}, with the repository and this build's settings. */
    List<String> command(boolean offline) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-B",
                "-Dmaven.repo.local=" + repository));
        if (offline) {
            command.add("-o");
        }
        // The settings of this build, if it has any.
        String settings = System.getProperty("jono.settings", "").replaceFirst("^file:", "");
        if (!settings.isEmpty() && Files.exists(Path.of(settings))) {
            command.addAll(List.of("-s", settings));
        }
        return command;
    }

    /** Makes a process use the JDK of this test, and none of the Maven options of this build. */
    static void cleanEnvironment(ProcessBuilder builder) {
        Map<String, String> environment = builder.environment();
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.keySet().removeAll(List.of("MAVEN_ARGS", "MAVEN_BASEDIR", "JAVA_TOOL_OPTIONS"));
    }

    /**
     * The run-time class paths of projects, in one run of Maven.
     *
     * @param poms the content of {@code <project>} without coordinates, by the name of the project
     */
    Map<String, List<Path>> classPaths(Map<String, String> poms) throws IOException, InterruptedException {
        Path all = Files.createDirectories(directory.resolve("projects"));
        StringBuilder modules = new StringBuilder();
        for (Map.Entry<String, String> pom : poms.entrySet()) {
            Path project = Files.createDirectories(all.resolve(pom.getKey()));
            Files.writeString(project.resolve("pom.xml"), project(pom.getKey(), pom.getValue()));
            modules.append("<module>").append(pom.getKey()).append("</module>");
        }
        String parent = "<packaging>pom</packaging><modules>" + modules + "</modules>";
        Files.writeString(all.resolve("pom.xml"), project("all", parent));
        run(
                all,
                "org.apache.maven.plugins:maven-dependency-plugin:" + Checkout.pluginVersion("maven-dependency-plugin")
                        + ":build-classpath",
                "-Dmdep.includeScope=runtime",
                "-Dmdep.outputFile=classpath");
        Map<String, List<Path>> found = new LinkedHashMap<>();
        for (String name : poms.keySet()) {
            String text = Files.readString(all.resolve(name).resolve("classpath"));
            found.put(
                    name,
                    Arrays.stream(text.strip().split(File.pathSeparator, -1))
                            .map(Path::of)
                            .toList());
        }
        return found;
    }

    private static String project(String name, String content) {
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>com.example</groupId>
                  <artifactId>%s</artifactId>
                  <version>1</version>
                  %s
                </project>
                """.formatted(name, content);
    }

    private void run(Path project, String... arguments) throws IOException, InterruptedException {
        List<String> command = command(System.getProperty("jono.offline", "").equals("offline=true"));
        command.addAll(List.of(arguments));
        Path log = directory.resolve("mvn.log");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        cleanEnvironment(builder);
        Process maven = builder.start();
        try {
            assertThat(maven.waitFor(MINUTES, TimeUnit.MINUTES))
                    .as("Maven ends")
                    .isTrue();
        } finally {
            maven.destroyForcibly();
        }
        assertThat(maven.exitValue()).as(Files.readString(log)).isZero();
    }

    /**
     * The part of a pom with dependencies on Jono's artifacts, and the BOM with their versions.
     *
     * @param more {@code <dependency>} elements
     */
    static String dependenciesOn(List<String> artifacts, String more) {
        String bom = """
                <dependencyManagement><dependencies><dependency>
                  <groupId>dev.jono</groupId><artifactId>jono-bom</artifactId><version>%s</version>
                  <type>pom</type><scope>import</scope>
                </dependency></dependencies></dependencyManagement>
                """.formatted(VERSION);
        return bom
                + artifacts.stream()
                        .map(artifact -> "<dependency><groupId>dev.jono</groupId><artifactId>" + artifact
                                + "</artifactId></dependency>")
                        .collect(Collectors.joining("\n", "<dependencies>", more + "</dependencies>"));
    }

    /** Removes the links before the folder is deleted, so that their targets stay. */
    @Override
    public void close() throws IOException {
        try (var all = Files.walk(repository)) {
            for (Path link : all.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        }
    }
}
