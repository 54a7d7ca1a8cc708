package dev.jono.spring.autoconfigure;

import dev.jono.Durations;
import dev.jono.QueueFactory;
import dev.jono.WorkerBuilder;
import dev.jono.jobs.Jobs;
import dev.jono.spring.JonoJob;
import dev.jono.spring.JonoListener;
import dev.jono.spring.JonoSchedule;
import dev.jono.spring.jobs.JobRunnerSettings;
import dev.jono.spring.jobs.JonoJobProcessor;
import dev.jono.spring.listener.JonoListenerProcessor;
import dev.jono.spring.listener.ListenerContainerFactory;
import dev.jono.spring.listener.ListenerContainerRegistry;
import dev.jono.spring.listener.ListenerSettings;
import dev.jono.spring.listener.WorkerContainerFactory;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Set;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Listeners and job methods. */
@AutoConfiguration(after = {JonoAutoConfiguration.class, JonoJobsAutoConfiguration.class})
@ConditionalOnBean(QueueFactory.class)
@EnableConfigurationProperties({JonoProperties.class, LifecycleProperties.class})
public final class JonoListenerAutoConfiguration {
    /** The part of a shutdown phase that handlers have. The rest is for giving messages back. */
    private static final double HANDLERS_PART = 5.0 / 6;

    private static final Set<Class<? extends Annotation>> ANNOTATIONS =
            Set.of(JonoListener.class, JonoJob.class, JonoSchedule.class);

    @Bean
    @ConditionalOnMissingBean
    ListenerContainerRegistry jonoListenerContainerRegistry(JonoProperties properties, LifecycleProperties lifecycle) {
        Duration configured = properties.worker().stopTimeout();
        PropertyCheck.apply("jono.worker.stop-timeout", configured, timeout -> Durations.check(timeout, "the timeout"));
        Duration phase = lifecycle.getTimeoutPerShutdownPhase();
        return new ListenerContainerRegistry(
                configured != null ? configured : Duration.ofMillis((long) (phase.toMillis() * HANDLERS_PART)));
    }

    @Bean(name = JonoListenerProcessor.CONTAINER_FACTORY)
    @ConditionalOnMissingBean(name = JonoListenerProcessor.CONTAINER_FACTORY)
    ListenerContainerFactory jonoListenerContainerFactory(QueueFactory jono, JonoProperties properties) {
        JonoProperties.Worker worker = properties.worker();
        check(worker, jono.worker());
        return new WorkerContainerFactory(
                jono,
                new ListenerSettings(
                        worker.concurrency(),
                        worker.batch(),
                        worker.prefetch(),
                        worker.lease(),
                        worker.maxRuntime(),
                        worker.enabled()));
    }

    /** Also refuses defaults that all listeners override. */
    private static void check(JonoProperties.Worker worker, WorkerBuilder builder) {
        PropertyCheck.apply("jono.worker.concurrency", worker.concurrency(), builder::concurrency);
        PropertyCheck.apply("jono.worker.batch", worker.batch(), JonoListenerAutoConfiguration::atLeastOne);
        PropertyCheck.apply("jono.worker.prefetch", worker.prefetch(), builder::prefetch);
        PropertyCheck.apply("jono.worker.lease", worker.lease(), builder::lease);
        PropertyCheck.apply("jono.worker.max-runtime", worker.maxRuntime(), builder::maxRuntime);
    }

    /** The engine checks the size of a batch only together with a queue. */
    private static void atLeastOne(int batch) {
        if (batch < 1) {
            throw new IllegalArgumentException("the size of a batch must be at least 1: " + batch);
        }
    }

    /** Beans with listeners are made at the start, even where all other beans are lazy. */
    @Bean
    static LazyInitializationExcludeFilter jonoLazyInitializationExcludeFilter() {
        return (beanName, definition, type) -> AnnotationUtils.isCandidateClass(type, ANNOTATIONS)
                && !MethodIntrospector.selectMethods(type, JonoListenerAutoConfiguration::isAnnotated)
                        .isEmpty();
    }

    private static boolean isAnnotated(Method method) {
        return ANNOTATIONS.stream().anyMatch(type -> AnnotatedElementUtils.hasAnnotation(method, type));
    }

    @Bean
    static JonoListenerProcessor jonoListenerProcessor() {
        return new JonoListenerProcessor();
    }

    /** Without {@code jono-jobs}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("dev.jono.jobs.Jobs")
    static class MissingJobsConfiguration {
        @Bean
        static JobMethodsWithoutJobs jonoJobMethodsWithoutJobs() {
            return new JobMethodsWithoutJobs(true);
        }
    }

    /** With {@code jono-jobs}, if jobs are switched off. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Jobs.class)
    @ConditionalOnMissingBean(Jobs.class)
    static class DisabledJobsConfiguration {
        @Bean
        static JobMethodsWithoutJobs jonoJobMethodsWithoutJobs() {
            return new JobMethodsWithoutJobs(false);
        }
    }

    /** Only with {@code jono-jobs}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Jobs.class)
    @ConditionalOnBean(Jobs.class)
    static class JobMethodsConfiguration {
        @Bean
        @ConditionalOnMissingBean
        JobRunnerSettings jonoJobRunnerSettings(QueueFactory jono, JonoProperties properties) {
            JonoProperties.Runner runner = properties.jobs().runner();
            // The ranges are those of workers. The builder of runners would open the jobs, which are lazy.
            WorkerBuilder builder = jono.worker();
            PropertyCheck.apply("jono.jobs.runner.concurrency", runner.concurrency(), builder::concurrency);
            PropertyCheck.apply("jono.jobs.runner.lease", runner.lease(), builder::lease);
            return new JobRunnerSettings(
                    runner.concurrency(), runner.lease(), runner.name(), runner.strictPriorities(), runner.enabled());
        }

        @Bean
        static JonoJobProcessor jonoJobProcessor() {
            return new JonoJobProcessor();
        }
    }
}
