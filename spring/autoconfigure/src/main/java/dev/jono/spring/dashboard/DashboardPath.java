package dev.jono.spring.dashboard;

import java.util.regex.Pattern;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/** The property {@code jono.dashboard.path}. As a condition: that it is set and not empty. */
final class DashboardPath extends SpringBootCondition {
    private static final String PROPERTY = "jono.dashboard.path";

    /** A segment does not begin with a dot, because servers resolve {@code ..}. */
    private static final Pattern ALLOWED = Pattern.compile("(/[A-Za-z0-9_~-][A-Za-z0-9_~.-]*)+/?");

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Dashboard");
        return StringUtils.hasText(context.getEnvironment().getProperty(PROPERTY))
                ? ConditionOutcome.match(message.foundExactly("a value of " + PROPERTY))
                : ConditionOutcome.noMatch(message.because(PROPERTY + " is not set, or empty"));
    }

    /**
     * The URL pattern of the servlet.
     *
     * @throws InvalidConfigurationPropertyValueException if the path is not allowed
     */
    static String servletMapping(String path) {
        if (!ALLOWED.matcher(path).matches()) {
            throw new InvalidConfigurationPropertyValueException(
                    PROPERTY,
                    path,
                    "It must be a path such as /jono or /ops/jono, of letters, digits, '-', '_', '.' and '~'. '/' alone is not allowed,"
                            + " because the dashboard would hide the rest of the application. Leave it empty for no dashboard.");
        }
        return (path.endsWith("/") ? path : path + "/") + "*";
    }
}
