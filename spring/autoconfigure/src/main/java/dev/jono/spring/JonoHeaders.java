package dev.jono.spring;

/** The names under which a listener method gets properties of the message, with {@code @Header}. */
public final class JonoHeaders {
    /** The id of the message: a {@code String}. */
    public static final String ID = "jono_id";
    /** The name of its queue: a {@code String}. */
    public static final String QUEUE = "jono_queue";
    /** The number of the delivery, 1 at the first: an {@code Integer}. */
    public static final String ATTEMPT = "jono_attempt";
    /** The due time: a {@code java.time.Instant}. */
    public static final String DUE_AT = "jono_dueAt";

    private JonoHeaders() {}
}
