package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.jobs.Jobs;
import dev.jono.spring.method.DeclarationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Methods with {@link JonoJob} or {@link JonoSchedule} in an application that cannot run them, or is not to. */
@ExtendWith(OutputCaptureExtension.class)
class WithoutJobsTest {
    static class Thumbs {
        @JonoJob("resize")
        void resize(String file) {}
    }

    static class Ledger {
        @JonoSchedule(cron = "0 2 * * *")
        void closeTheDay() {}
    }

    static class OnlyListener {
        @JonoListener("orders")
        void take(String order) {}
    }

    @Test
    void withoutTheDependencyTheStartFails() {
        for (Class<?> bean : new Class<?>[] {Thumbs.class, Ledger.class}) {
            Contexts.inMemory()
                    .withClassLoader(new FilteredClassLoader(Jobs.class))
                    .withBean(bean)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .isInstanceOf(DeclarationException.class)
                            .hasMessageContaining(bean.getName() + ".")
                            .hasMessageContaining("Add the dependency dev.jono:jono-jobs"));
        }
    }

    @Test
    void listenersNeedNoJobs() {
        Contexts.inMemory()
                .withClassLoader(new FilteredClassLoader(Jobs.class))
                .withBean(OnlyListener.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void ifJobsAreSwitchedOffTheLogNamesWhatIsNotRun(CapturedOutput output) {
        Contexts.inMemory()
                .withPropertyValues("jono.jobs.enabled=false")
                .withBean(Thumbs.class)
                .withBean(Ledger.class)
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output)
                .contains("jono.jobs.enabled is false")
                .contains(Thumbs.class.getName() + ".resize")
                .contains(Ledger.class.getName() + ".closeTheDay");
    }
}
