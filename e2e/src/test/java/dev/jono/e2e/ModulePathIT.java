package dev.jono.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.spi.JobStoreProvider;
import dev.jono.spi.BackendProvider;
import dev.jono.spi.SignallerProvider;
import dev.jono.spi.StatsProvider;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.module.ResolvedModule;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packaged jars offer the same providers to the class path and to the module path. */
class ModulePathIT {
    private static final String OURS = "jono-(api|jobs|backend|signal|stats|support|micrometer|outbox).*\\.jar";
    private static final String THEIRS =
            "(jspecify|slf4j-api|jackson-(?!module)|cron-utils|caffeine|sqlite-jdbc|lettuce|netty|reactor|reactive|redis-authx|mongodb|bson|postgresql|HikariCP).*\\.jar";

    private static List<Path> jars(String names) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .filter(p -> p.getFileName().toString().matches(names))
                .toList();
    }

    private static ModuleFinder path() {
        return ModuleFinder.of(jars(OURS + "|" + THEIRS).toArray(Path[]::new));
    }

    private static Set<ModuleReference> resolved() {
        return ModuleLayer.boot()
                .configuration()
                .resolveAndBind(ModuleFinder.of(), path(), Set.of("dev.jono", "dev.jono.jobs"))
                .modules()
                .stream()
                .map(ResolvedModule::reference)
                .collect(Collectors.toSet());
    }

    private static Set<ModuleDescriptor> modules() {
        return resolved().stream().map(ModuleReference::descriptor).collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(
            classes = {BackendProvider.class, SignallerProvider.class, StatsProvider.class, JobStoreProvider.class})
    void servicesFilesAndModuleDescriptorsAgree(Class<?> service) {
        Set<String> onModulePath = modules().stream()
                .flatMap(m -> m.provides().stream())
                .filter(p -> p.service().equals(service.getName()))
                .flatMap(p -> p.providers().stream())
                .collect(Collectors.toSet());
        Set<String> onClassPath = ServiceLoader.load(service).stream()
                .map(p -> p.type().getName())
                .collect(Collectors.toSet());

        assertThat(onClassPath).as("an in-process one, and one on SQLite").hasSizeGreaterThanOrEqualTo(2);
        assertThat(onModulePath).isEqualTo(onClassPath);
    }

    @Test
    void everyJarOfOursIsANamedModule() {
        List<Path> ours = jars(OURS);
        assertThat(ours).hasSizeGreaterThanOrEqualTo(2);
        assertThat(ModuleFinder.of(ours.toArray(Path[]::new)).findAll())
                .hasSameSizeAs(ours)
                .allSatisfy(m -> {
                    assertThat(m.descriptor().isAutomatic())
                            .as(m.descriptor().name())
                            .isFalse();
                    assertThat(m.descriptor().name()).startsWith("dev.jono");
                });
    }

    @Test
    void jarsWithoutADescriptorHaveAStableName() {
        assertThat(ModuleFinder.of(jars("jono-(cli.*|(testkit|test)-.*)\\.jar").toArray(Path[]::new))
                        .findAll())
                .extracting(m -> m.descriptor().name())
                .containsExactlyInAnyOrder("dev.jono.cli", "dev.jono.testkit", "dev.jono.test");
    }

    /** For Unix sockets, which the command can use. Without it Lettuce uses the sockets of the JDK. */
    private static final String OPTIONAL = "io.netty.transport.classes.epoll";

    /** An automatic module cannot declare which modules it uses, so the descriptors of Jono's modules must. */
    @Test
    void librariesReachTheirOwnLibraries() throws IOException {
        Map<String, String> homes = new HashMap<>();
        for (ModuleReference module : path().findAll()) {
            module.descriptor()
                    .packages()
                    .forEach(name -> homes.put(name, module.descriptor().name()));
        }
        Set<ModuleReference> resolved = resolved();
        resolved.forEach(module -> homes.values().removeIf(module.descriptor().name()::equals));
        Set<String> outOfReach = new TreeSet<>();
        for (ModuleReference module : resolved) {
            if (module.descriptor().isAutomatic()) {
                packagesUsedBy(module).stream()
                        .filter(homes::containsKey)
                        .filter(name -> !OPTIONAL.equals(homes.get(name)))
                        .forEach(name -> outOfReach.add(module.descriptor().name() + " uses " + name + " of "
                                + homes.get(name) + ", which no module requires"));
            }
        }
        assertThat(outOfReach).isEmpty();
    }

    private static Set<String> packagesUsedBy(ModuleReference module) throws IOException {
        Set<String> used = new TreeSet<>();
        try (ModuleReader reader = module.open();
                Stream<String> files = reader.list()) {
            for (String file : files.filter(name -> name.endsWith(".class")).toList()) {
                try (InputStream content = reader.open(file).orElseThrow()) {
                    new ClassReferences(content)
                            .classes()
                            .forEach(name -> used.add(name.substring(0, Math.max(0, name.lastIndexOf('.')))));
                }
            }
        }
        return used;
    }

    @Test
    void engineStaysInside() {
        assertThat(modules())
                .filteredOn(m -> m.name().startsWith("dev.jono"))
                .flatExtracting(ModuleDescriptor::exports)
                .filteredOn(exported -> !exported.isQualified())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrder(
                        "dev.jono",
                        "dev.jono.backend.sqlite",
                        "dev.jono.jobs",
                        "dev.jono.jobs.spi",
                        "dev.jono.json",
                        "dev.jono.pipeline",
                        "dev.jono.spi",
                        "dev.jono.support.redis",
                        "dev.jono.support.mongo",
                        "dev.jono.support.postgres");
    }
}
