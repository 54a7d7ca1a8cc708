package dev.jono.spring.boot3;

import dev.jono.spring.actuate.JonoHealthCheck;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** Reports a {@link JonoHealthCheck} to Spring Boot 3. */
final class JonoHealthIndicator extends AbstractHealthIndicator {
    private final JonoHealthCheck check;

    JonoHealthIndicator(JonoHealthCheck check) {
        super("the storage of Jono's queues does not answer");
        this.check = check;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        JonoHealthCheck.Result result = check.check();
        (result.isUp() ? builder.up() : builder.down()).withDetails(result.details());
    }
}
