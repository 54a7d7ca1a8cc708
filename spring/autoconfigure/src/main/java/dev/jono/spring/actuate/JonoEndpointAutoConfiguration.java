package dev.jono.spring.actuate;

import dev.jono.QueueFactory;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import dev.jono.spring.autoconfigure.UsedQueues;
import dev.jono.spring.listener.ListenerContainerRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** The actuator endpoint {@code jono}, and what {@code info} says. */
@AutoConfiguration(
        afterName = {
            "dev.jono.spring.autoconfigure.JonoJobsAutoConfiguration",
            "dev.jono.spring.autoconfigure.JonoListenerAutoConfiguration"
        })
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(QueueFactory.class)
public final class JonoEndpointAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    JonoEndpoint jonoEndpoint(ObjectProvider<EndpointSection> sections) {
        return new JonoEndpoint(sections.orderedStream().toList());
    }

    @Bean
    @ConditionalOnEnabledInfoContributor("jono")
    InfoContributor jonoInfoContributor(QueueFactory jono) {
        return new JonoInfo(jono);
    }

    @Bean
    @Order(1)
    @ConditionalOnAvailableEndpoint(endpoint = JonoEndpoint.class)
    QueueSection jonoQueueSection(
            QueueFactory jono, UsedQueues used, ObjectProvider<ListenerContainerRegistry> listeners) {
        return new QueueSection(jono, used, listeners.getIfUnique());
    }

    @Bean
    @Order(2)
    @ConditionalOnBean(ListenerContainerRegistry.class)
    @ConditionalOnAvailableEndpoint(endpoint = JonoEndpoint.class)
    ListenerSection jonoListenerSection(ListenerContainerRegistry registry) {
        return new ListenerSection(registry);
    }

    /** Only with {@code jono-jobs}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Jobs.class)
    @ConditionalOnBean(Jobs.class)
    @ConditionalOnAvailableEndpoint(endpoint = JonoEndpoint.class)
    static class JobSections {
        @Bean
        @Order(3)
        JobSection jonoJobSection(
                ConfigurableListableBeanFactory beans,
                ObjectProvider<ListenerContainerRegistry> listeners,
                ObjectProvider<JobType<?, ?>> types) {
            return new JobSection(new UsedJobs(beans), listeners.getIfUnique(), types);
        }

        @Bean
        @Order(4)
        ScheduleSection jonoScheduleSection(ConfigurableListableBeanFactory beans) {
            return new ScheduleSection(new UsedJobs(beans));
        }
    }
}
