package dev.jono.spring.actuate;

import dev.jono.QueueFactory;
import dev.jono.spring.listener.ListenerContainerRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.context.annotation.Bean;

/** The health indicator {@code jono} of Spring Boot 4. */
@AutoConfiguration(afterName = "dev.jono.spring.autoconfigure.JonoListenerAutoConfiguration")
@ConditionalOnClass({HealthContributor.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(QueueFactory.class)
@ConditionalOnEnabledHealthIndicator("jono")
public final class JonoHealthAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean(name = {"jonoHealthIndicator", "jonoHealthContributor"})
    HealthContributor jonoHealthContributor(QueueFactory jono, ObjectProvider<ListenerContainerRegistry> listeners) {
        return new JonoHealthIndicator(new JonoHealthCheck(jono, listeners.getIfUnique()));
    }
}
