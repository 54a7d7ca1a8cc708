package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A foreign project that consists of the README's snippets: its dependencies, its program and its commands, unchanged
 * except for the version, which is that of the staged release. It must build, print what the README says, and cause no
 * warning. Maven runs offline, because the local repository holds all libraries and plugins.
 */
@Tag("release")
@Timeout(StagedRelease.SECONDS)
class ForeignProjectIT {
    @TempDir
    Path directory;

    @Test
    void readmesProgramBuildsAndRunsWithoutAWarning() throws Exception {
        Path project = Files.createDirectories(directory.resolve("project"));
        Path sources = Files.createDirectories(project.resolve("src/main/java"));
        Files.writeString(sources.resolve("Hello.java"), Checkout.snippet("program"));
        Path mavenLog = directory.resolve("mvn.log");
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        Process shell;
        try (ForeignMaven foreign = new ForeignMaven(directory)) {
            Files.writeString(project.resolve("pom.xml"), pom(foreign));
            shell = start(foreign, project, mavenLog, out, err);
            try {
                assertThat(shell.waitFor(100, TimeUnit.SECONDS))
                        .as("the README's commands end")
                        .isTrue();
            } finally {
                shell.destroyForcibly();
            }
        }
        String maven = Files.exists(mavenLog) ? Files.readString(mavenLog) : "Maven did not run";
        String errors = Files.readString(err);
        assertThat(shell.exitValue()).as("%s%n%s", maven, errors).isZero();
        assertThat(maven).doesNotContain("[WARNING]", "[ERROR]");
        assertThat(Files.readString(out)).isEqualTo(Checkout.snippet("output"));
        assertThat(errors.lines()).noneMatch(line -> line.matches("(?i).*\\b(warn|warning|error|exception)\\b.*"));
    }

    private static Process start(ForeignMaven foreign, Path project, Path mavenLog, Path out, Path err)
            throws IOException {
        Path commands = Files.createDirectories(project.resolveSibling("bin"));
        // Maven's own warnings on a new JDK go to a separate file.
        String maven = foreign.command(true).stream().collect(Collectors.joining("' '", "'", "'"));
        Files.writeString(commands.resolve("mvn"), "#!/bin/sh\nexec " + maven + " \"$@\" >>'" + mavenLog + "' 2>&1\n");
        Files.setPosixFilePermissions(commands.resolve("mvn"), PosixFilePermissions.fromString("rwx------"));
        ProcessBuilder builder = new ProcessBuilder("sh", "-e", "-c", Checkout.snippet("run"))
                .directory(project.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        MavenProcess.cleanEnvironment(builder);
        Map<String, String> environment = builder.environment();
        environment.put(
                "PATH",
                commands + ":" + Path.of(System.getProperty("java.home"), "bin") + ":" + environment.get("PATH"));
        return builder.start();
    }

    /** The README's dependencies in a foreign pom, with the plugins that this build has already resolved. */
    private static String pom(ForeignMaven foreign) throws IOException {
        String dependencies = Checkout.snippet("dependencies");
        assertThat(dependencies)
                .as("the README names the version that is being built")
                .contains(Checkout.VERSION);
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
                + dependencies.replace(Checkout.VERSION, StagedRelease.VERSION)
                + foreign.repositories()
                + "<build><pluginManagement><plugins>\n"
                + plugins
                + "</plugins></pluginManagement></build>\n</project>\n";
    }
}
