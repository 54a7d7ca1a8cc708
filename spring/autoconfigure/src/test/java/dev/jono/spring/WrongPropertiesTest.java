package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jono.spring.autoconfigure.JonoAutoConfiguration;
import dev.jono.spring.autoconfigure.JonoJobsAutoConfiguration;
import dev.jono.spring.autoconfigure.JonoListenerAutoConfiguration;
import dev.jono.spring.autoconfigure.QueueProperties;
import dev.jono.spring.redis.JonoRedisAutoConfiguration;
import dev.jono.testkit.server.RedisServer;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.unit.DataSize;

/** A wrong value of a property fails the start with an analysis that names the property. */
@ExtendWith(OutputCaptureExtension.class)
class WrongPropertiesTest {
    @ImportAutoConfiguration({
        JonoAutoConfiguration.class,
        JonoJobsAutoConfiguration.class,
        JonoListenerAutoConfiguration.class,
        LifecycleAutoConfiguration.class
    })
    static class Application {}

    private static void assertRefused(String property, String value, CapturedOutput output) {
        assertFails("--" + property + "=" + value);
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("Property: " + property + "\n")
                .contains("Origin: \"" + property + "\" from property source \"commandLineArgs\"")
                .contains("Reason: ");
    }

    private static void assertFails(String... properties) {
        assertFails(Application.class, properties);
    }

    private static void assertFails(Class<?> type, String... properties) {
        SpringApplication application = new SpringApplication(type);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        application.setDefaultProperties(Map.of("jono.url", type == Application.class ? "memory:" : ""));
        assertThat(catchThrowable(() -> application.run(properties))).isNotNull();
    }

    /** Wrong values of types. A text has no wrong value of its type. */
    private static final Map<Class<?>, String> WRONG = Map.of(
            Duration.class, "-1s",
            int.class, "-1",
            Integer.class, "-1",
            Double.class, "-1",
            DataSize.class, "-1B",
            boolean.class, "perhaps",
            Boolean.class, "perhaps");

    static Stream<Arguments> everyPropertyWithAType() {
        return Stream.concat(BoundProperties.all(), BoundProperties.below("jono.queues.orders", QueueProperties.class))
                .filter(property -> !property.isGroup())
                .filter(property -> property.type() != String.class && property.type() != Map.class)
                .map(property -> Arguments.of(
                        property.name(), property.type().isEnum() ? "perhaps" : WRONG.get(property.type())));
    }

    @ParameterizedTest
    @MethodSource
    void everyPropertyWithAType(String property, String value, CapturedOutput output) {
        assertRefused(property, value, output);
        assertThat(output).contains("Value: \"" + value + "\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jono.worker.concurrency           | 0     | concurrency must be at least 1: 0",
                "jono.worker.batch                 | 0     | the size of a batch must be at least 1: 0",
                "jono.worker.prefetch              | -1    | prefetch must be at least 0: -1",
                "jono.worker.lease                 | 0s    | lease must be at least a millisecond: 0s",
                "jono.worker.max-runtime           | 0s    | maxRuntime must be at least a millisecond: 0s",
                "jono.worker.stop-timeout          | -5s   | must not be negative: -5s",
                "jono.worker.stop-timeout          | 4000d | must not be longer than ten years",
                "jono.jobs.runner.concurrency      | 0     | concurrency must be at least 1: 0",
                "jono.jobs.runner.lease            | 0s    | lease must be at least a millisecond: 0s",
                "jono.queue.lease                  | soon  | is not a valid duration",
                "jono.queue.max-deliveries         | -1    | must be at least 1, or 0 for no limit: -1",
                "jono.queue.backoff.factor         | 0.5   | factor must be at least 1: 0.5",
                "jono.queue.backoff.jitter         | 1.5   | jitter must be between 0 and 1: 1.5",
                "jono.queue.backoff.first          | -1s   | must not be negative: -1s",
                "jono.queue.max-payload            | 3GB   | at most 2147483647 bytes",
                "jono.queue.keyed                  | 1001  | keyed takes 1 to 1000 messages per key: 1001",
                "jono.queue.dead-letter-queue      | a b   | queue name 'a b' is not allowed",
                "jono.queue.pipeline               | p     | the backend memory does not separate pipelines",
                "jono.queues.orders.dead-letter-queue | a b | queue name 'a b' is not allowed",
                "jono.queues.orders.pipeline       | p     | the backend memory does not separate pipelines",
                "jono.queues.orders.backoff.max    | -1s   | must not be negative: -1s",
                "jono.queues[shop.orders].lease    | 0s    | lease must be at least a millisecond: 0s",
                "jono.namespace                    | a b   | namespace 'a b' is not allowed",
                "jono.backend                      | mongo | Put it into that URL",
                "jono.database                     | shop  | Put it into that URL"
            })
    void theReasonIsGiven(String property, String value, String reason, CapturedOutput output) {
        assertRefused(property, value, output);
        assertThat(output).contains("Value: \"" + value + "\"").contains(reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jono.url                     | nope:u:s3cret@h | no backend 'nope' on the class path",
                "jono.url                     | memory:?jono.password=s3cret | unknown option jono.password",
                "jono.signaller               | nope:u:s3cret@h | no signaller 'nope' on the class path",
                "jono.stats                   | nope:u:s3cret@h | no stats 'nope' on the class path",
                "jono.queue.signaller         | nope:u:s3cret@h | no signaller 'nope' on the class path",
                "jono.queue.stats             | nope:u:s3cret@h | no stats 'nope' on the class path",
                "jono.queues.orders.signaller | nope:u:s3cret@h | no signaller 'nope' on the class path",
                "jono.queues.orders.stats     | nope:u:s3cret@h | no stats 'nope' on the class path",
                "jono.queues.orders.stats     | mem:?jono.password=s3cret | unknown option jono.password for 'mem'"
            })
    void aUrlIsNotShown(String property, String value, String reason, CapturedOutput output) {
        assertRefused(property, value, output);
        assertThat(output).contains(reason).doesNotContain("s3cret");
    }

    @Test
    void aWrongNameOfAQueue(CapturedOutput output) {
        assertFails("--jono.queues[a b].lease=1m");
        assertThat(output)
                .contains("Property: jono.queues[a b]\n")
                .contains("queue name 'a b' is not allowed: 1 to 200 letters, digits");
    }

    @Test
    void aDefaultIsNamedWhereItIsSet(CapturedOutput output) {
        assertFails("--jono.queue.dead-letter-queue=a b", "--jono.queues.orders.max-deliveries=3");
        assertThat(output).contains("Property: jono.queue.dead-letter-queue\n");
    }

    @Test
    void aPropertyInAnotherFormIsFound(CapturedOutput output) {
        assertFails("--jono.worker.maxRuntime=-1s");
        assertThat(output)
                .contains("Property: jono.worker.max-runtime\n")
                .contains("Value: \"-1s\"")
                .contains("Origin: \"jono.worker.maxRuntime\" from property source");
    }

    @ImportAutoConfiguration({
        DataRedisAutoConfiguration.class,
        JonoRedisAutoConfiguration.class,
        JonoAutoConfiguration.class
    })
    static class ApplicationWithRedis {}

    @Test
    void anOptionForTheConnectionOfTheApplication(CapturedOutput output) {
        assertFails(
                ApplicationWithRedis.class,
                "--spring.data.redis.url=" + RedisServer.sharedUri(),
                "--jono.options.prefixx=a");
        assertThat(output).contains("Property: jono.options\n").contains("Reason: unknown option jono.prefixx");
    }

    @Test
    void anEmptyTextIsNotSet() {
        Contexts.inMemory()
                .withPropertyValues(
                        "jono.backend=",
                        "jono.database=",
                        "jono.signaller=",
                        "jono.stats=",
                        "jono.queue.dead-letter-queue=",
                        "jono.queue.signaller=",
                        "jono.queue.stats=",
                        "jono.queue.pipeline=")
                .run(context -> assertThat(context).hasNotFailed());
    }
}
