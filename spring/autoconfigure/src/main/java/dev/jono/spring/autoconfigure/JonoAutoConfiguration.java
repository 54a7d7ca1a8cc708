package dev.jono.spring.autoconfigure;

import dev.jono.CodecFactory;
import dev.jono.Interceptor;
import dev.jono.JonoClock;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import dev.jono.QueueFactoryBuilder;
import dev.jono.json.JsonCodecs;
import dev.jono.spring.JonoConnectionDetails;
import dev.jono.spring.JonoQueue;
import dev.jono.spring.QueueFactoryBuilderCustomizer;
import dev.jono.spring.SharedStorage;
import dev.jono.spring.transaction.JoinedTransactions;
import dev.jono.spring.transaction.TransactionSource;
import dev.jono.spring.transaction.TransactionalQueue;
import java.util.List;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.InjectionPoint;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.Environment;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The queue factory of the application, and the queues that are injected by name. */
@AutoConfiguration(
        afterName = {
            "dev.jono.spring.redis.JonoRedisAutoConfiguration",
            "dev.jono.spring.mongo.JonoMongoAutoConfiguration"
        })
@EnableConfigurationProperties(JonoProperties.class)
public final class JonoAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean({JonoConnectionDetails.class, QueueFactory.class})
    ChosenStorage jonoConnectionDetails(JonoProperties properties, ObjectProvider<SharedStorage> shared) {
        return ChosenStorage.of(properties, shared.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean(QueueFactory.class)
    HandlerThreads jonoHandlerThreads(Environment environment) {
        return HandlerThreads.of(environment);
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    QueueFactory jonoQueueFactory(
            JonoProperties properties,
            JonoConnectionDetails details,
            HandlerThreads threads,
            ObjectProvider<CodecFactory> codecs,
            ObjectProvider<JonoClock> clock,
            ObjectProvider<Interceptor> interceptors,
            ObjectProvider<QueueFactoryBuilderCustomizer> customizers) {
        QueueFactoryBuilder builder = QueueFactory.builder(details.getUrl());
        apply(properties, builder);
        if (details.getStorage() != null) {
            builder.storage(details.getStorage());
        }
        threads.executor().ifPresent(builder::executor);
        builder.codecs(codecs.getIfUnique(JsonCodecs::withFoundModules));
        clock.ifUnique(builder::clock);
        interceptors.orderedStream().forEach(builder::interceptor);
        customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
        return builder.connect();
    }

    private static void apply(JonoProperties properties, QueueFactoryBuilder builder) {
        PropertyCheck.apply("jono.namespace", properties.namespace(), builder::namespace);
        if (properties.signaller() != null) {
            builder.signaller(properties.signaller());
        }
        if (properties.stats() != null) {
            builder.stats(properties.stats());
        }
        QueueProperties defaults = properties.queue();
        builder.queueDefaults(QueueOptionsMapper.options("jono.queue", defaults, defaults));
        properties
                .queues()
                .forEach((name, queue) -> builder.queueOptions(
                        name, QueueOptionsMapper.options(PropertyCheck.prefix(name), queue, defaults)));
    }

    @Bean
    static UsedQueues jonoUsedQueues(JonoProperties properties) {
        return new UsedQueues(properties.queues().keySet());
    }

    /** Makes the queue for an injection point with {@link JonoQueue}; never injected without it. */
    @Bean(name = JonoQueue.BEAN_NAME, defaultCandidate = false)
    @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
    static MessageQueue<?> jonoMessageQueue(
            InjectionPoint point,
            QueueFactory jono,
            BeanFactory beans,
            UsedQueues used,
            ObjectProvider<QueueDecorator> decorators) {
        MessageQueue<?> queue = InjectedQueue.at(point, jono, beans);
        used.add(queue.name());
        QueueDecorator decorator = decorators.getIfUnique();
        return decorator == null ? queue : decorator.decorate(queue);
    }

    /** Wraps queues that are injected. */
    @FunctionalInterface
    interface QueueDecorator {
        MessageQueue<?> decorate(MessageQueue<?> queue);
    }

    /** Only with Spring's transactions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(TransactionSynchronizationManager.class)
    static class TransactionConfiguration {
        @Bean
        @ConditionalOnMissingBean
        JoinedTransactions jonoJoinedTransactions(
                JonoProperties properties, ObjectProvider<TransactionSource> sources) {
            boolean join = properties.transaction() == JonoProperties.Transaction.JOIN;
            return new JoinedTransactions(join ? sources.orderedStream().toList() : List.of());
        }

        @Bean
        QueueDecorator jonoTransactionalQueues(JonoProperties properties, JoinedTransactions joined) {
            return properties.transaction() == JonoProperties.Transaction.NONE
                    ? queue -> queue
                    : queue -> TransactionalQueue.of(queue, joined);
        }
    }
}
