package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import java.util.concurrent.Executor;

/**
 * The threads of one factory.
 *
 * @param users run the callbacks and handlers of the application; may refuse
 * @param drivers run blocking calls, and tasks that must not be lost; refuse nothing while the factory is open
 * @param helpers the same threads, for tasks that the caller runs itself where none is free; may refuse
 * @param real the host's time, even where a test moves the clock of the factory
 */
public record FactoryThreads(Executor users, Executor drivers, Executor helpers, JonoClock real) {}
