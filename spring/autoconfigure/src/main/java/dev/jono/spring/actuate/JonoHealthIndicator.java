package dev.jono.spring.actuate;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Reports a {@link JonoHealthCheck} to Spring Boot 4. */
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
