package dev.jono.benchmarks.compare;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the versions of the libraries and of Node for the report. */
final class Versions {
    private static final List<String> JARS = List.of(
            "lettuce-core",
            "mongodb-driver-sync",
            "sqlite-jdbc",
            "postgresql",
            "redisson",
            "amqp-client",
            "jobrunr",
            "db-scheduler",
            "HikariCP",
            "netty-common");
    private static final List<String> PEERS = List.of("keuss", "bullmq", "queue-farm", "kue", "graphile-worker");
    private static final Pattern JAR = Pattern.compile("(.+?)-(\\d[^/]*)\\.jar");

    private Versions() {}

    /** Returns the versions of the jars on the class path, of the npm packages, and of Node. */
    static Map<String, String> all(Path installed) throws IOException {
        Map<String, String> versions = new TreeMap<>();
        for (String path : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Matcher jar = JAR.matcher(new File(path).getName());
            if (jar.matches() && JARS.contains(jar.group(1))) {
                versions.put(jar.group(1), jar.group(2));
            }
        }
        for (String peer : PEERS) {
            for (String name : List.of(peer, "ioredis")) {
                Path description = installed.resolve("compare-" + peer + "/node_modules/" + name + "/package.json");
                if (Files.isReadable(description)) {
                    versions.put(
                            name + " (npm" + (name.equals("ioredis") ? ", of " + peer : "") + ")",
                            new ObjectMapper()
                                    .readTree(description.toFile())
                                    .path("version")
                                    .asText());
                }
            }
        }
        try {
            Process node = new ProcessBuilder("node", "--version").start();
            versions.put("node", new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim());
        } catch (IOException none) {
            versions.put("node", "none");
        }
        return versions;
    }

    static long memoryMiB() throws IOException {
        Path info = Path.of("/proc/meminfo");
        if (!Files.isReadable(info)) {
            return 0;
        }
        try (Stream<String> lines = Files.lines(info, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith("MemTotal:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
                    .findFirst()
                    .orElse(0);
        }
    }
}
