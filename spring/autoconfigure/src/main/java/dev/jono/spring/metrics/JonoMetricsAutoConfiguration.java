package dev.jono.spring.metrics;

import dev.jono.QueueFactory;
import dev.jono.jobs.Jobs;
import dev.jono.micrometer.JonoJobMetrics;
import dev.jono.micrometer.JonoMetrics;
import dev.jono.micrometer.QueueDepths;
import dev.jono.spring.QueueFactoryBuilderCustomizer;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** The meters of queues and jobs, in the meter registry of the application. A bean of type {@link JonoMetrics} configures them. */
@AutoConfiguration(
        afterName = {
            "dev.jono.spring.autoconfigure.JonoAutoConfiguration",
            "dev.jono.spring.autoconfigure.JonoJobsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            // Spring Boot 3
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({JonoMetrics.class, MeterRegistry.class})
@ConditionalOnBean(QueueFactory.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
public final class JonoMetricsAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    JonoMetrics jonoMetrics(MeterRegistry registry) {
        return JonoMetrics.builder(registry).build();
    }

    @Bean
    QueueFactoryBuilderCustomizer jonoMetricsCustomizer(JonoMetrics metrics) {
        return metrics::addTo;
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    QueueDepths jonoQueueDepths(JonoMetrics metrics, QueueFactory jono) {
        return metrics.watchDepths(jono);
    }

    /** No other bean asks for the depths. */
    @Bean
    static LazyInitializationExcludeFilter jonoQueueDepthsAreNotLazy() {
        return LazyInitializationExcludeFilter.forBeanTypes(QueueDepths.class);
    }

    /** Only with {@code jono-jobs}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Jobs.class)
    @ConditionalOnBean(Jobs.class)
    static class JobMetricsConfiguration {
        @Bean
        @Order(2)
        @ConditionalOnMissingBean
        JonoJobMetrics jonoJobMetrics(MeterRegistry registry) {
            return JonoJobMetrics.create(registry);
        }

        @Bean
        static MeasuredJobs jonoMeasuredJobs(ObjectProvider<JonoJobMetrics> metrics) {
            return new MeasuredJobs(metrics);
        }
    }
}
