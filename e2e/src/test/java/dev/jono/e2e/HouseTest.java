package dev.jono.e2e;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures;
import com.tngtech.archunit.library.GeneralCodingRules;
import dev.jono.JonoException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullMarked;

/**
 * Who may know whom. A rule that no class matches fails, which is wanted: it tells that a part of the
 * house has moved or gone.
 */
@AnalyzeClasses(packages = "dev.jono", importOptions = ImportOption.DoNotIncludeTests.class)
class HouseTest {
    /** The packages of jono-api. */
    private static final String[] API = {
        "dev.jono",
        "dev.jono.json..",
        "dev.jono.spi..",
        "dev.jono.pipeline..",
        "dev.jono.internal..",
        "dev.jono.memory.."
    };

    /** Whatever implements the SPI; memory is a plugin that happens to live in api's jar. */
    private static final String[] PLUGINS = {
        "dev.jono.memory..", "dev.jono.backend..", "dev.jono.signal..", "dev.jono.stats.."
    };

    @ArchTest
    static final ArchRule apiKnowsNoDriver = classes()
            .that(resideInAnyPackage(API))
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(API)
                    .or(resideInAnyPackage("java..", "org.jspecify..", "org.slf4j.."))
                    .or(resideInAnyPackage("com.fasterxml.jackson..", "com.github.benmanes.caffeine.."))
                    // Annotations for the compiler, which nobody needs at run time.
                    .or(resideInAnyPackage("com.google.errorprone.annotations..")))
            .because("every application and every backend inherits what api depends on");

    @ArchTest
    static final ArchRule jacksonShowsInOnePackage = noMethods()
            .that()
            .arePublic()
            .and()
            .areDeclaredInClassesThat(
                    resideInAnyPackage("dev.jono", "dev.jono.pipeline..", "dev.jono.spi..", "dev.jono.memory.."))
            .should()
            .haveRawReturnType(resideInAnyPackage("com.fasterxml.jackson.."))
            .orShould()
            .haveRawParameterTypes(describe(
                    "Jackson's",
                    types -> types.stream().anyMatch(t -> t.getPackageName().startsWith("com.fasterxml"))))
            .because("an application that keeps to Jono's defaults may use any JSON library, or another Jackson");

    @ArchTest
    static final ArchRule spiKnowsOnlyTheApi = noClasses()
            .that()
            .resideInAPackage("dev.jono.spi..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.jono.internal..", "dev.jono.memory..", "dev.jono.pipeline..")
            .because("a contract does not know who fulfils it or who uses it");

    @ArchTest
    static final ArchRule engineIsBehindOneDoor = noClasses()
            .that()
            .resideOutsideOfPackages("dev.jono", "dev.jono.pipeline..", "dev.jono.internal..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.jono.internal..")
            .because("a backend must be writable, testable and usable with the SPI alone");

    @ArchTest
    static final ArchRule engineHasOneDoorForTheApi = noClasses()
            .that()
            .resideInAnyPackage("dev.jono", "dev.jono.pipeline..", "dev.jono.json..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.jono.internal.*..")
            .because("only the root package of the engine is its door");

    /** The packages of the engine: each may use those before it. */
    @ArchTest
    static final ArchRule engineIsLayered = layers(
            "log", "concurrent", "runtime", "stats", "wake", "batch", "claim", "core", "settle", "queue", "worker");

    @ArchTest
    static final ArchRule engineKnowsNoPlugin = noClasses()
            .that(resideInAnyPackage(API)
                    .and(describe("not memory", c -> !c.getPackageName().startsWith("dev.jono.memory"))))
            .should()
            .dependOnClassesThat(resideInAnyPackage(PLUGINS).or(resideInAnyPackage("dev.jono.support..")))
            .because("plugins are found through the SPI, the ones in memory too");

    @ArchTest
    static final ArchRule pluginsDoNotKnowEachOther = slices().matching("dev.jono.(backend|signal|stats).(*)..")
            .should()
            .notDependOnEachOther()
            .because("what two of them share belongs in dev.jono.support.<storage>");

    @ArchTest
    static final ArchRule nothingDependsOnTheEdges = noClasses()
            .that(resideInAnyPackage(API).or(resideInAnyPackage(PLUGINS)).or(resideInAnyPackage("dev.jono.support..")))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.jono.testkit..",
                    "dev.jono.test..",
                    "dev.jono.micrometer..",
                    "dev.jono.cli..",
                    "dev.jono.benchmarks..",
                    "dev.jono.dashboard..");

    @ArchTest
    static final ArchRule dashboardKnowsPublicApisOnly = noClasses()
            .that()
            .resideInAPackage("dev.jono.dashboard..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.jono.spi..", "dev.jono.internal..", "dev.jono.jobs.spi..", "dev.jono.jobs.internal..")
            .because("an application could have written it");

    @ArchTest
    static final ArchRule serversStayAtTheEdges = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.jono.cli..", "dev.jono.dashboard..", "dev.jono.examples..", "dev.jono.spring..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.eclipse.jetty..", "jakarta.servlet..", "gg.jte..");

    @ArchTest
    static final ArchRule micrometerStaysInItsModule = noClasses()
            .that()
            .resideOutsideOfPackages("dev.jono.micrometer..", "dev.jono.spring.metrics..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.micrometer..")
            .because("an application without metrics gets no jar of Micrometer");

    @ArchTest
    static final ArchRule tracingStaysInItsPackage = noClasses()
            .that()
            .resideOutsideOfPackages("dev.jono.micrometer.tracing..", "dev.jono.spring.metrics..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.micrometer.tracing..")
            .because("an application with metrics alone gets no jar of Micrometer Tracing");

    @ArchTest
    static final ArchRule jobsAreOptionalForMetrics = noClasses()
            .that()
            .resideInAPackage("dev.jono.micrometer..")
            .and()
            .doNotHaveSimpleName("JonoJobMetrics")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.jono.jobs..")
            .because("an application without jobs gets no jobs jar");

    @ArchTest
    static final ArchRule integrationsUseThePublicApi = noClasses()
            .that()
            .resideInAnyPackage("dev.jono.test..", "dev.jono.micrometer..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.jono.spi..", "dev.jono..internal..", "dev.jono.memory..", "dev.jono.jobs.spi..")
            .because("an application can do what they do");

    @ArchTest
    static final ArchRule lettuceStaysInRedisModules = only("redis", "io.lettuce..", "io.netty..");

    @ArchTest
    static final ArchRule mongoDriverStaysInMongoModules = only("mongo", "com.mongodb..", "org.bson..");

    @ArchTest
    static final ArchRule springStaysInSpringModules = noClasses()
            .that()
            .resideOutsideOfPackage("dev.jono.spring..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.springframework..", "dev.jono.spring..")
            .because("an application without Spring gets no Spring jar");

    @ArchTest
    static final ArchRule springUsesWhatUsersUse = noClasses()
            .that()
            .resideInAPackage("dev.jono.spring..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "dev.jono.internal..", "dev.jono.spi..", "dev.jono.jobs.internal..", "dev.jono.jobs.spi..")
            .because("whatever the starter can do, an application can do without it");

    @ArchTest
    static final ArchRule jdbcStaysInModulesOfItsDatabases = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.jono..sqlite..",
                    "dev.jono..postgres..",
                    "dev.jono..keusspostgres..",
                    "dev.jono.outbox..",
                    "dev.jono.spring.jdbc..",
                    // Begins the transactions of tests.
                    "dev.jono.testkit..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..")
            .because("a driver's types must not spread");

    @ArchTest
    static final ArchRule sqliteStaysInSqliteModules = only("sqlite", "org.sqlite..");

    @ArchTest
    static final ArchRule postgresDriverStaysInPostgresModules = only("postgres", "org.postgresql..");

    /** The pool of Spring Boot's applications too. */
    @ArchTest
    static final ArchRule poolStaysInModulesOfDataSources = only("(postgres|jdbc)", "com.zaxxer..");

    @ArchTest
    static final ArchRule packagesFormNoCycle = slices().matching("dev.jono.(**)")
            .should()
            .beFreeOfCycles()
            // The entry points.
            .ignoreDependency("dev.jono.jobs.Jobs", "dev.jono.jobs.internal.JobsImpl")
            .ignoreDependency("dev.jono.dashboard.Dashboard", "dev.jono.dashboard.internal.Application")
            .ignoreDependency("dev.jono.dashboard.Dashboard", "dev.jono.dashboard.internal.Application$Options");

    /** Larger knots cannot be read one class at a time. Examples and benchmarks may have them. */
    @ArchTest
    static void noPackageHasAKnotOfMoreThanThreeClasses(JavaClasses all) {
        assertThat(Knots.largerThan(3, all)).isEmpty();
    }

    @ArchTest
    static final ArchRule oneClock = noClasses()
            .that()
            .doNotHaveSimpleName("SystemClock")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(Instant.class, "now")
            .because("time comes from the injected clock, so that tests can move it");

    @ArchTest
    static final ArchRule nobodySleeps = noClasses()
            .should()
            .callMethodWhere(target(name("sleep"))
                    .and(target(owner(assignableTo(Thread.class).or(assignableTo(TimeUnit.class))))))
            .because("wait for a signal or a deadline");

    @ArchTest
    static final ArchRule noSynchronizedMethod = noMethods()
            .should()
            .haveModifier(JavaModifier.SYNCHRONIZED)
            .because("blocking in a monitor pins a virtual thread before JDK 24; use ReentrantLock");

    @ArchTest
    static final ArchRule oneExceptionFamily = classes()
            .that()
            .areAssignableTo(Throwable.class)
            .and()
            .areNotAssignableTo(SQLException.class) // inside a backend, until it is translated at its edge
            .should()
            .beAssignableTo(JonoException.class)
            .andShould()
            .haveSimpleNameEndingWith("Exception")
            .because("users catch one type; picocli needs none of its own in the command");

    @ArchTest
    static final ArchRule noStandardStreams = noClasses()
            .that()
            .resideOutsideOfPackages("dev.jono.cli..", "dev.jono.benchmarks..")
            .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS);

    @ArchTest
    static void everyPackageIsNullMarked(JavaClasses all) {
        assertThat(all.getPackage("dev.jono").getSubpackagesInTree())
                .filteredOn(p -> !p.getClasses().isEmpty())
                .isNotEmpty()
                .allSatisfy(p -> assertThat(p.isAnnotatedWith(NullMarked.class))
                        .as(p.getName())
                        .isTrue());
    }

    private static ArchRule layers(String... lowestFirst) {
        Architectures.LayeredArchitecture layered =
                layeredArchitecture().consideringOnlyDependenciesInAnyPackage("dev.jono.internal..");
        for (String name : lowestFirst) {
            layered = layered.layer(name).definedBy("dev.jono.internal." + name);
        }
        layered = layered.layer("doors").definedBy("dev.jono.internal");
        for (int i = 0; i < lowestFirst.length; i++) {
            String[] above = Arrays.copyOfRange(lowestFirst, i + 1, lowestFirst.length + 1);
            above[above.length - 1] = "doors";
            layered = layered.whereLayer(lowestFirst[i]).mayOnlyBeAccessedByLayers(above);
        }
        return layered.whereLayer("doors").mayNotBeAccessedByAnyLayer();
    }

    /** A third-party library that only packages of this storage may touch. */
    private static ArchRule only(String storage, String... driver) {
        DescribedPredicate<JavaClass> others = describe(
                "outside the packages of " + storage,
                c -> !c.getPackageName()
                        .matches("dev\\.jono\\.(backend|signal|stats|support|jobs|spring)\\..*" + storage + ".*"));
        return noClasses()
                .that(others)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(driver)
                .because("a driver's types must not spread");
    }
}
