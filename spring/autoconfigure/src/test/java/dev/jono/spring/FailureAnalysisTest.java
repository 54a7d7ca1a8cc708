package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jono.spring.autoconfigure.JonoAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What an operator reads if an application does not start. */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalysisTest {
    @ImportAutoConfiguration(JonoAutoConfiguration.class)
    static class Application {}

    private static void start(String... properties) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        assertThat(catchThrowable(() -> application.run(properties))).isNotNull();
    }

    @Test
    void withoutStorageItSaysHowToSetOne(CapturedOutput output) {
        start();
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("jono.url is not set")
                .contains("Set jono.url, for example jono.url=sqlite:queues.db")
                .contains("Backends on the class path: bucket-mongo, bucket-mongo-safe, keuss-postgres, memory");
    }

    @ParameterizedTest
    @CsvSource({
        "--jono.url=redsi:x,                              redsi",
        "--jono.url=redis-oq:redis://localhost:1,         Jono cannot use the storage of its queues",
        "'--jono.url=memory:,--jono.queue.lease=-1s',     jono.queue.lease",
        "'--jono.url=memory:,--jono.namespace=a b',       jono.namespace",
        "'--jono.url=memory:,--jono.backend=redis-oq',    Put it into that URL",
        "'--jono.url=memory:,--jono.quues.a.lease=1s',    jono.quues.a.lease"
    })
    void wrongPropertiesAreNamed(String arguments, String expected, CapturedOutput output) {
        start(arguments.split(",", -1));
        assertThat(output).contains("APPLICATION FAILED TO START").contains(expected);
    }
}
