package dev.jono.spring.method;

import dev.jono.JonoException;
import org.jspecify.annotations.Nullable;

/** A method, a parameter or a bean is declared in a way that cannot work. The message says where, what is wrong, and what to do. */
public final class DeclarationException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final String description;
    private final String action;

    /**
     * An exception.
     *
     * @param where the class and the method, or the bean
     * @param problem what is wrong, with the name and the value of the attribute
     * @param action what to do; a sentence
     * @param cause the cause; null if there is none
     */
    public DeclarationException(Object where, String problem, String action, @Nullable Throwable cause) {
        super(where + ": " + problem + ". " + action, null, null, cause);
        this.description = where + ": " + problem + ".";
        this.action = action;
    }

    /** Where the mistake is, and what is wrong; a sentence. */
    public String description() {
        return description;
    }

    /** What to do; a sentence. */
    public String action() {
        return action;
    }
}
