package dev.jono.spring.actuate;

import dev.jono.jobs.Jobs;
import java.util.Arrays;
import java.util.Optional;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The jobs of the application, if it has used them. Their bean is lazy, because not every backend has jobs; this does not make it. */
final class UsedJobs {
    /** Why there are none, in a sentence for the caller. */
    static final String NONE = "this process has not used jobs since its start";

    private final ConfigurableListableBeanFactory beans;

    UsedJobs(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    Optional<Jobs> find() {
        return Arrays.stream(beans.getBeanNamesForType(Jobs.class, true, false))
                .filter(beans::containsSingleton)
                .findFirst()
                .map(name -> beans.getBean(name, Jobs.class));
    }
}
