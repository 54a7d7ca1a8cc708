package dev.jono.examples.farm;

import java.util.List;

/** Handles tasks of one queue. */
@FunctionalInterface
public interface TaskHandler {
    /**
     * Handles consecutive tasks.
     *
     * @param queue the name of the queue
     * @param data that of the tasks, in their order
     * @throws Exception if the tasks are to be tried again
     */
    void handle(String queue, List<String> data) throws Exception;
}
