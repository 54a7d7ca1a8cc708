package dev.jono.micrometer;

import dev.jono.Interceptor;
import dev.jono.Message;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.MDC;

/**
 * Puts the queue, the id and the attempt of the message into the logging context (MDC of SLF4J) while its handler runs, so that each log line
 * of the handler has them. In a batch of several messages there are no id and attempt. Stateless.
 *
 * <pre>{@code
 * QueueFactory jono = QueueFactory.builder(url).interceptor(new JonoMdc()).connect();
 * }</pre>
 */
public final class JonoMdc implements Interceptor {
    /** The name of the queue. */
    public static final String QUEUE = "jono.queue";

    /** The id of the message. */
    public static final String ID = "jono.id";

    /** The number of the delivery, 1 for the first. */
    public static final String ATTEMPT = "jono.attempt";

    /** For any factory. */
    public JonoMdc() {}

    @Override
    public void handleAll(List<? extends Message<?>> messages, Handling handling) throws Exception {
        Message<?> first = messages.get(0);
        List<MDC.MDCCloseable> entries = new ArrayList<>();
        entries.add(MDC.putCloseable(QUEUE, first.queue()));
        if (messages.size() == 1) {
            entries.add(MDC.putCloseable(ID, first.id()));
            entries.add(MDC.putCloseable(ATTEMPT, String.valueOf(first.attempt())));
        }
        try {
            handling.proceed();
        } finally {
            entries.forEach(MDC.MDCCloseable::close);
        }
    }
}
