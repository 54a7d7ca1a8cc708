package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The staged release holds what Maven Central demands, and what users need of it. */
@Tag("release")
class StagedReleaseIT {
    private static final String BOM = "jono-bom";
    private static final String VERSION = StagedRelease.VERSION;

    /** Entries of a jar that hold the version, so that they differ between this build and the release. */
    private static final Set<String> WITH_VERSION =
            Set.of("META-INF/MANIFEST.MF", "module-info.class", "pom.xml", "pom.properties");

    @TempDir
    static Path directory;

    private static Path group;
    private static ForeignMaven maven;

    /** By artifact, what an application gets that depends on it alone. */
    private static Map<String, List<Path>> classPaths;

    @BeforeAll
    @Timeout(StagedRelease.SECONDS)
    static void stage() throws Exception {
        group = StagedRelease.folder().resolve("dev/jono");
        maven = new ForeignMaven(directory);
        Map<String, String> poms = new TreeMap<>();
        for (String artifact : jars()) {
            poms.put(artifact, parent(artifact) + ForeignMaven.dependenciesOn(List.of(artifact), ""));
        }
        classPaths = maven.classPaths(poms);
    }

    /** Whether an artifact is for applications of Spring Boot, which decides the versions of libraries there. */
    private static boolean isForSpringBoot(String artifact) {
        return artifact.startsWith("jono-spring-");
    }

    private static String parent(String artifact) throws IOException {
        String version = artifact.contains("boot3") ? "spring-boot3.version" : "spring-boot.version";
        return isForSpringBoot(artifact) ? ForeignMaven.springBootParent(Checkout.property("pom.xml", version)) : "";
    }

    @AfterAll
    static void cleanUp() throws IOException {
        maven.close();
    }

    static List<String> jars() throws IOException {
        return Checkout.publishedModules().stream().map(Checkout::artifact).toList();
    }

    static List<String> all() throws IOException {
        List<String> all = new ArrayList<>(jars());
        all.add(BOM);
        return all;
    }

    private static Path file(String artifact, String suffix) {
        return group.resolve(artifact).resolve(VERSION).resolve(artifact + "-" + VERSION + suffix);
    }

    @Test
    void holdsTheArtifactsOfTheBomAndNoOther() throws Exception {
        Pom bom = Pom.read(file(BOM, ".pom"));
        assertThat(bom.managedDependencies())
                .allSatisfy(managed -> assertThat(managed.version()).isEqualTo(VERSION))
                .extracting(Pom.Dependency::artifact)
                .containsExactlyInAnyOrderElementsOf(jars());
        assertThat(names(group)).containsExactlyInAnyOrderElementsOf(all());
    }

    @ParameterizedTest
    @MethodSource("all")
    void filesHaveChecksums(String artifact) throws Exception {
        Set<String> expected = new TreeSet<>();
        List<String> suffixes = artifact.equals(BOM)
                ? List.of(".pom")
                : List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json", "-cyclonedx.xml");
        for (String suffix : suffixes) {
            Path file = file(artifact, suffix);
            assertThat(Files.readString(file(artifact, suffix + ".md5")))
                    .isEqualTo(hash("MD5", Files.readAllBytes(file)));
            assertThat(Files.readString(file(artifact, suffix + ".sha1")))
                    .isEqualTo(hash("SHA-1", Files.readAllBytes(file)));
            for (String checksum : List.of("", ".md5", ".sha1")) {
                expected.add(file.getFileName() + checksum);
            }
        }
        assertThat(names(group.resolve(artifact).resolve(VERSION))).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("all")
    void pomSaysWhatCentralDemands(String artifact) throws Exception {
        Path file = file(artifact, ".pom");
        Pom pom = Pom.read(file);
        assertThat(pom.text("groupId")).isEqualTo("dev.jono");
        assertThat(pom.text("artifactId")).isEqualTo(artifact);
        assertThat(pom.text("version")).isEqualTo(VERSION);
        assertThat(pom.text("packaging")).isEqualTo(artifact.equals(BOM) ? "pom" : "");
        assertThat(pom.text("name")).startsWith("Jono :: ");
        assertThat(pom.text("description")).endsWith(".");
        assertThat(pom.text("licenses/license/name")).isEqualTo("Apache-2.0");
        assertThat(pom.text("licenses/license/url")).endsWith("LICENSE-2.0.txt");
        assertThat(pom.text("developers/developer/name")).isNotEmpty();
        // Those of the project, without the name of the module.
        assertThat(pom.text("url")).isEqualTo(Checkout.property("pom.xml", "url"));
        assertThat(pom.text("scm/url")).startsWith("https://").doesNotContain(artifact);
        assertThat(pom.text("scm/connection")).isEqualTo("scm:git:" + pom.text("scm/url"));
        assertThat(Files.readString(file).replace("${project.version}", VERSION))
                .doesNotContain("SNAPSHOT", "${", "<parent>", "<build>", "<repositories>", "<profiles>", "<modules>");
    }

    @Test
    void noTwoPomsShareANameOrADescription() throws Exception {
        List<String> texts = new ArrayList<>();
        for (String artifact : all()) {
            Pom pom = Pom.read(file(artifact, ".pom"));
            texts.add(pom.text("name"));
            texts.add(pom.text("description"));
        }
        assertThat(texts).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("jars")
    void dependenciesArePublished(String artifact) throws Exception {
        List<String> published = jars();
        assertThat(Pom.read(file(artifact, ".pom")).dependencies()).isNotEmpty().allSatisfy(dependency -> {
            assertThat(dependency.scope()).isIn("compile", "runtime", "provided");
            if (dependency.group().equals("dev.jono")) {
                assertThat(dependency.artifact()).isIn(published);
                assertThat(dependency.version()).isEqualTo(VERSION);
            } else {
                assertThat(dependency.version()).matches("\\d[\\w.-]*");
            }
        });
    }

    @ParameterizedTest
    @MethodSource("jars")
    void sourcesAndJavadocAreThoseOfTheJar(String artifact) throws Exception {
        Set<String> sources = entries(file(artifact, "-sources.jar"));
        Set<String> javadoc = entries(file(artifact, "-javadoc.jar"));
        Set<String> classes = entries(file(artifact, ".jar")).stream()
                .filter(name -> name.matches("[^$]+\\.class"))
                .map(name -> name.replaceFirst("\\.class$", ""))
                .collect(Collectors.toSet());
        assertThat(sources)
                .containsAll(classes.stream().map(name -> name + ".java").toList());
        if (Set.of("module-info").containsAll(classes)) {
            assertThat(javadoc).contains("README.md");
        } else {
            assertThat(javadoc).contains("index.html", "element-list");
        }
    }

    @ParameterizedTest
    @MethodSource("jars")
    void applicationsGetEachArtifactFromTheStagingFolder(String artifact) throws Exception {
        List<Path> ours = classPath(artifact).stream()
                .filter(jar -> jar.getFileName().toString().startsWith("jono-"))
                .toList();
        assertThat(ours).extracting(jar -> jar.getFileName().toString()).contains(artifact + "-" + VERSION + ".jar");
        for (Path jar : ours) {
            assertThat(Files.readString(jar.resolveSibling("_remote.repositories")))
                    .contains(jar.getFileName() + ">" + ForeignMaven.STAGING + "=");
        }
    }

    @ParameterizedTest
    @MethodSource("jars")
    void sbomNamesWhatApplicationsGet(String artifact) throws Exception {
        JsonNode sbom =
                new ObjectMapper().readTree(file(artifact, "-cyclonedx.json").toFile());
        assertThat(sbom.path("bomFormat").asText()).isEqualTo("CycloneDX");
        Set<String> named = new TreeSet<>();
        named.add(nameAndVersion(sbom.at("/metadata/component")));
        sbom.path("components").forEach(component -> named.add(nameAndVersion(component)));
        assertThat(named).contains(artifact + "-" + VERSION).noneMatch(name -> name.contains("SNAPSHOT"));
        // Behind the version may stand a classifier. An application has the versions of its Spring Boot.
        Set<String> libraries = isForSpringBoot(artifact) ? names(sbom) : named;
        assertThat(classPath(artifact))
                .extracting(jar -> jar.getFileName().toString())
                .allSatisfy(jar -> assertThat(libraries).anyMatch(jar::startsWith));
        assertThat(Files.readString(file(artifact, "-cyclonedx.xml"))).contains("http://cyclonedx.org/schema/bom/");
    }

    private static Set<String> names(JsonNode sbom) {
        Set<String> names = new TreeSet<>();
        names.add(sbom.at("/metadata/component/name").asText() + "-");
        sbom.path("components")
                .forEach(component -> names.add(component.path("name").asText() + "-"));
        return names;
    }

    private static String nameAndVersion(JsonNode component) {
        return component.path("name").asText() + "-" + component.path("version").asText();
    }

    private static List<Path> classPath(String artifact) {
        return classPaths.getOrDefault(artifact, List.of());
    }

    @ParameterizedTest
    @MethodSource("modules")
    void jarHasTheSameBytesInAnotherFolder(String module) throws Exception {
        String artifact = Checkout.artifact(module);
        assertThat(contents(file(artifact, ".jar"))).isEqualTo(contents(Checkout.jar(module)));
    }

    static List<String> modules() throws IOException {
        return Checkout.publishedModules();
    }

    private static Set<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Set<String> entries(Path jar) throws IOException {
        try (JarFile open = new JarFile(jar.toFile())) {
            return open.stream().map(ZipEntry::getName).collect(Collectors.toSet());
        }
    }

    /** Name, time and hash of each entry, in their order. */
    private static List<String> contents(Path jar) throws Exception {
        List<String> contents = new ArrayList<>();
        try (JarFile open = new JarFile(jar.toFile())) {
            for (ZipEntry entry : open.stream().toList()) {
                String name = entry.getName();
                byte[] bytes = open.getInputStream(entry).readAllBytes();
                boolean compared = WITH_VERSION.stream().noneMatch(name::endsWith);
                contents.add(name + " " + entry.getTime() + " " + (compared ? hash("SHA-256", bytes) : ""));
            }
        }
        return contents;
    }

    private static String hash(String algorithm, byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
    }
}
