package dev.jono.e2e;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Maven for foreign projects, which use the staged release like an application uses a published one.
 *
 * <p>Their local repository holds no artifact of Jono at first. Maven downloads each of them from the staging folder, the
 * only repository that has them, and verifies the checksums. The rest of the local repository is a folder of links to the
 * local repository of this build. So the tests neither need nor leave Jono's artifacts in the real local repository, and
 * cannot use old ones. Libraries that they download are kept behind the links for the next run.
 */
final class ForeignMaven implements AutoCloseable {
    /** The id of the repository that has the staged release. */
    static final String STAGING = "staging";

    private static final long MINUTES = 5;

    private final Path directory;
    private final Path repository;
    private final Path staging;

    /**
     * Creates the local repository, and the staged release if no test has done so.
     *
     * @param directory the folder for the repository and the projects
     */
    ForeignMaven(Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        this.repository = directory.resolve("repository");
        this.staging = StagedRelease.folder();
        Path existing = Path.of(System.getProperty("jono.localRepository"));
        linkAllBut("dev", existing, repository);
        linkAllBut("jono", existing.resolve("dev"), repository.resolve("dev"));
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

    /** The command {@code mvn}, with the local repository. */
    List<String> command(boolean offline) {
        List<String> command = MavenProcess.command(repository);
        if (offline) {
            command.addAll(List.of("-o", "-Daether.offline.protocols=file"));
        }
        return command;
    }

    /** For a pom: the repository that has the staged release. */
    String repositories() {
        return """
                <repositories><repository>
                  <id>%s</id><url>%s</url>
                  <releases><checksumPolicy>fail</checksumPolicy></releases>
                </repository></repositories>
                """.formatted(STAGING, staging.toUri());
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

    private String project(String name, String content) {
        return """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>com.example</groupId>
                  <artifactId>%s</artifactId>
                  <version>1</version>
                  %s
                  %s
                </project>
                """.formatted(name, content, repositories());
    }

    private void run(Path project, String... arguments) throws IOException, InterruptedException {
        List<String> command = command(System.getProperty("jono.offline", "").equals("offline=true"));
        command.addAll(List.of(arguments));
        MavenProcess.run(project, command, directory.resolve("mvn.log"), MINUTES);
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
                """.formatted(StagedRelease.VERSION);
        return bom
                + artifacts.stream()
                        .map(artifact -> "<dependency><groupId>dev.jono</groupId><artifactId>" + artifact
                                + "</artifactId></dependency>")
                        .collect(Collectors.joining("\n", "<dependencies>", more + "</dependencies>"));
    }

    /** The part of a pom with Spring Boot's parent, which manages the versions of most libraries. */
    static String springBootParent(String version) {
        return """
                <parent>
                  <groupId>org.springframework.boot</groupId>
                  <artifactId>spring-boot-starter-parent</artifactId>
                  <version>%s</version>
                  <relativePath/>
                </parent>
                """.formatted(version);
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
