package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import java.util.concurrent.Executor;

/**
 * The threads of one factory. Immutable.
 *
 * @param users run the callbacks and handlers of the application; can refuse tasks
 * @param drivers run blocking calls, and tasks that must not be lost; refuse no task while the factory is open
 * @param helpers the same threads as {@code drivers}, but they can refuse tasks; then the caller runs the task itself
 * @param real the host's clock, also if a test moves the clock of the factory
 */
public record FactoryThreads(Executor users, Executor drivers, Executor helpers, JonoClock real) {}
