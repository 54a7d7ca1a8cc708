package dev.jono.cli;

import dev.jono.QueueOptions;
import java.util.Map;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option of commands that open a queue whose messages have ordering keys. */
final class KeyedOption {
    private static final String NAME = "--keyed";
    private static final String STRICT = "1";

    @Option(
            names = NAME,
            arity = "0..1",
            preprocessor = AttachedOnly.class,
            paramLabel = "N",
            description =
                    "The queue has ordering keys. Consumers hold up to N messages of a key at once. Without N: 1, which"
                            + " keeps the order of the messages of a key. All processes must use the same value.")
    private @Nullable Integer maxPerKey;

    /** Gives the option its default unless a value is attached to it: the next word is an argument of its own. */
    static final class AttachedOnly implements IParameterPreprocessor {
        @Override
        public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
            if (" ".equals(info.get("separator"))) {
                words.push(STRICT);
            }
            return false;
        }
    }

    boolean isSet() {
        return maxPerKey != null;
    }

    /** The options with which the queue is opened; a wrong value is refused. */
    QueueOptions options() {
        return options(NAME, maxPerKey);
    }

    /**
     * The options for the value of an option; a wrong value is refused.
     *
     * @param name the option
     * @param maxPerKey its value; null if it is not given
     */
    static QueueOptions options(String name, @Nullable Integer maxPerKey) {
        if (maxPerKey == null) {
            return QueueOptions.none();
        }
        try {
            return QueueOptions.builder().keyed(maxPerKey).build();
        } catch (IllegalArgumentException e) {
            throw CliException.usage(name + " must be between 1 and 1000: " + maxPerKey);
        }
    }
}
