package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Maven in a separate process: the installation and the settings of this build, on the JDK of this test. */
final class MavenProcess {
    private MavenProcess() {}

    /**
     * The command {@code mvn}, without goals.
     *
     * @param repository the local repository
     */
    static List<String> command(Path repository) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("maven.home"), "bin", "mvn").toString(),
                "-B",
                "-Dmaven.repo.local=" + repository));
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
     * Runs a command, which must succeed.
     *
     * @param log the file for its output
     */
    static void run(Path project, List<String> command, Path log, long minutes)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        cleanEnvironment(builder);
        Process maven = builder.start();
        try {
            assertThat(maven.waitFor(minutes, TimeUnit.MINUTES))
                    .as("Maven ends: %s", log)
                    .isTrue();
        } finally {
            maven.destroyForcibly();
        }
        assertThat(maven.exitValue()).as(Files.readString(log)).isZero();
    }
}
