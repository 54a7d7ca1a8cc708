package dev.jono.spring.redis;

import dev.jono.spring.SharedStorage;
import dev.jono.support.redis.RedisStorage;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Offers the Redis connection of the application to Jono: that of its Lettuce connection factory. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            // Spring Boot 3
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration"
        })
@ConditionalOnClass({RedisStorage.class, LettuceConnectionFactory.class})
@ConditionalOnSingleCandidate(LettuceConnectionFactory.class)
public final class JonoRedisAutoConfiguration {
    @Bean
    @Lazy
    SharedStorage jonoRedisStorage(LettuceConnectionFactory connections, Environment environment) {
        return new SharedRedis(connections, environment);
    }
}
