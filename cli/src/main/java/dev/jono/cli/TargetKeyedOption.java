package dev.jono.cli;

import dev.jono.QueueOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of commands that move messages to a queue whose messages have ordering keys. */
final class TargetKeyedOption {
    private static final String NAME = "--to-keyed";

    @Option(
            names = NAME,
            arity = "0..1",
            preprocessor = KeyedOption.AttachedOnly.class,
            paramLabel = "N",
            description =
                    "As --keyed, for the queue TO: if it is empty, it becomes keyed before the first message comes.")
    private @Nullable Integer maxPerKey;

    /** The options with which the target is opened; a wrong value is refused. */
    QueueOptions options() {
        return KeyedOption.options(NAME, maxPerKey);
    }
}
