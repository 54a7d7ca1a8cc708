package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.jono.spring.autoconfigure.JonoAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
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

    @Test
    void aStorageThatCannotBeReachedIsNamed(CapturedOutput output) {
        start("--jono.url=redis-oq:redis://localhost:1");
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("Jono cannot use the storage of its queues");
    }

    @Test
    void anUnknownPropertyIsNamed(CapturedOutput output) {
        start("--jono.url=memory:", "--jono.quues.a.lease=1s");
        assertThat(output).contains("APPLICATION FAILED TO START").contains("Property: jono.quues.a.lease");
    }
}
