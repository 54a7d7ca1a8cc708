package dev.jono.spring.autoconfigure;

import dev.jono.QueueFactory;
import dev.jono.jobs.Jobs;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** The jobs of the application, on the storage of its queue factory. */
@AutoConfiguration(after = JonoAutoConfiguration.class)
@ConditionalOnClass(Jobs.class)
@ConditionalOnBean(QueueFactory.class)
@ConditionalOnBooleanProperty(name = "jono.jobs.enabled", matchIfMissing = true)
public final class JonoJobsAutoConfiguration {
    /** Lazy, because not every backend has a job store, and an application without jobs needs none. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    Jobs jonoJobs(QueueFactory jono) {
        return Jobs.on(jono);
    }
}
