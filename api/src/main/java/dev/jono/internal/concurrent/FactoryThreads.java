package dev.jono.internal.concurrent;

import dev.jono.JonoClock;
import java.util.concurrent.Executor;

/**
 * Where the code of one factory runs.
 *
 * @param users runs the application's callbacks and handlers; may refuse
 * @param drivers runs calls that block, and whatever must not be lost; refuses nothing while the factory is open
 * @param helpers the same threads, for what the caller does itself where none is free; may refuse
 * @param real the host's time, even where a test moves the factory's clock
 */
public record FactoryThreads(Executor users, Executor drivers, Executor helpers, JonoClock real) {}
