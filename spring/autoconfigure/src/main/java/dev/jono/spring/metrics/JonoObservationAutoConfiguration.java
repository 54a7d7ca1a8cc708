package dev.jono.spring.metrics;

import dev.jono.QueueFactory;
import dev.jono.micrometer.HandleConvention;
import dev.jono.micrometer.JonoMdc;
import dev.jono.micrometer.JonoObservations;
import dev.jono.micrometer.PushConvention;
import dev.jono.micrometer.tracing.BatchLinks;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/** Observations of pushes and handlers, and their logging context inside of them, so that log lines can name the trace. */
@AutoConfiguration(
        afterName = {
            "dev.jono.spring.autoconfigure.JonoAutoConfiguration",
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
            // Spring Boot 3
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration"
        })
@ConditionalOnClass({JonoObservations.class, ObservationRegistry.class})
@ConditionalOnBean(QueueFactory.class)
public final class JonoObservationAutoConfiguration {
    @Bean
    @Order(0)
    @ConditionalOnMissingBean
    @ConditionalOnSingleCandidate(ObservationRegistry.class)
    JonoObservations jonoObservations(
            ObservationRegistry registry,
            ObjectProvider<PushConvention> push,
            ObjectProvider<HandleConvention> handle) {
        JonoObservations observations = JonoObservations.create(registry);
        PushConvention ofPushes = push.getIfUnique();
        HandleConvention ofHandlers = handle.getIfUnique();
        observations = ofPushes == null ? observations : observations.pushConvention(ofPushes);
        return ofHandlers == null ? observations : observations.handleConvention(ofHandlers);
    }

    @Bean
    @Order(1)
    @ConditionalOnMissingBean
    JonoMdc jonoMdc() {
        return new JonoMdc();
    }

    /** Only with Micrometer Tracing. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Tracer.class, Propagator.class})
    @ConditionalOnBean({Tracer.class, Propagator.class})
    static class TracingConfiguration {
        /** Before the handlers of Spring Boot, of which the first that supports an observation gets it. */
        @Bean
        @Order(0)
        @ConditionalOnMissingBean
        BatchLinks jonoBatchLinks(Tracer tracer, Propagator propagator) {
            return new BatchLinks(tracer, propagator);
        }
    }
}
