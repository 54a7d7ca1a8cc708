package dev.jono.e2e;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The versions of Spring Boot with which the jars of this build are tested, oldest first. */
enum SpringBootVersion {
    V3_5("3.5.7", "jono-spring-boot3-starter", "spring-boot-starter-web", true),
    V4_0("4.0.7", "jono-spring-boot-starter", "spring-boot-starter-webmvc", true),
    V4_1("4.1.2", "jono-spring-boot-starter", "spring-boot-starter-webmvc", false);

    /** Its number. */
    final String number;

    /** Jono's starter for it. */
    final String starter;

    private final String webStarter;

    /** Whether its SQLite is too old for Jono, so that an application must choose a newer one. */
    final boolean oldSqlite;

    SpringBootVersion(String number, String starter, String webStarter, boolean oldSqlite) {
        this.number = number;
        this.starter = starter;
        this.webStarter = webStarter;
        this.oldSqlite = oldSqlite;
    }

    /**
     * The pom of an application. Its parent is that of this version, which manages all libraries but JUnit, which comes from this build,
     * and a SQLite that Jono refuses.
     *
     * @param ours artifacts of Jono
     * @param starters of Spring Boot
     */
    String pom(List<String> ours, List<String> starters) throws IOException {
        String sqlite = oldSqlite
                ? "<sqlite-jdbc.version>" + Checkout.property("backend-sqlite/pom.xml", "sqlite-jdbc.version")
                        + "</sqlite-jdbc.version>"
                : "";
        String more = starters.stream()
                .map(starter -> dependency("org.springframework.boot", starter))
                .collect(Collectors.joining("", "", dependency("org.junit.platform", "junit-platform-launcher")));
        return ForeignMaven.springBootParent(number)
                + """
                <properties>%s<junit-jupiter.version>%s</junit-jupiter.version></properties>
                """.formatted(sqlite, Checkout.property("pom.xml", "junit.version"))
                + ForeignMaven.dependenciesOn(ours, more);
    }

    /**
     * The pom of an application with a web server, which uses Jono by its starter.
     *
     * @param storageStarter the starter of Spring Boot for its storage
     */
    String webApplication(List<String> ours, String storageStarter) throws IOException {
        return pom(
                Stream.concat(Stream.of(starter), ours.stream()).toList(),
                List.of(webStarter, "spring-boot-starter-actuator", "spring-boot-starter-validation", storageStarter));
    }

    private static String dependency(String group, String artifact) {
        return "<dependency><groupId>" + group + "</groupId><artifactId>" + artifact + "</artifactId></dependency>";
    }

    /** The number, for the names of tests and projects. */
    @Override
    public String toString() {
        return number;
    }
}
