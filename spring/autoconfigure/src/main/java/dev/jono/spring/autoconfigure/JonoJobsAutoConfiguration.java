package dev.jono.spring.autoconfigure;

import dev.jono.QueueFactory;
import dev.jono.jobs.Jobs;
import dev.jono.spring.transaction.JoinedTransactions;
import dev.jono.spring.transaction.TransactionalJobs;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

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
    Jobs jonoJobs(QueueFactory jono, ObjectProvider<JobsDecorator> decorators) {
        Jobs jobs = Jobs.on(jono);
        JobsDecorator decorator = decorators.getIfUnique();
        return decorator == null ? jobs : decorator.decorate(jobs);
    }

    /** Wraps the jobs that are injected. */
    @FunctionalInterface
    interface JobsDecorator {
        Jobs decorate(Jobs jobs);
    }

    /** Only with Spring's transactions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(TransactionSynchronizationManager.class)
    static class TransactionConfiguration {
        @Bean
        JobsDecorator jonoTransactionalJobs(QueueFactory jono, JoinedTransactions joined) {
            return jobs -> TransactionalJobs.of(jobs, jono.backend(), joined);
        }
    }
}
