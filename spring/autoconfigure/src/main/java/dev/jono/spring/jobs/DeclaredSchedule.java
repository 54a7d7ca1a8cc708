package dev.jono.spring.jobs;

import dev.jono.EncodingException;
import dev.jono.jobs.Jobs;
import dev.jono.spring.method.DeclarationException;

/**
 * A schedule and the place of its declaration.
 *
 * @param where the method or the bean, for messages
 */
record DeclaredSchedule(Object where, ScheduleDefinition<?> definition) {
    static DeclaredSchedule ofBean(ScheduleDefinition<?> definition) {
        return new DeclaredSchedule("the schedule '" + definition.name() + "'", definition);
    }

    /**
     * Creates or replaces it in the storage.
     *
     * @throws DeclarationException if its name, its expression or its payload is refused
     */
    void declare(Jobs jobs) {
        try {
            definition.declare(jobs);
        } catch (IllegalArgumentException | EncodingException refused) {
            throw new DeclarationException(
                    where,
                    "the schedule '" + definition.name() + "' with the cron expression '" + definition.cron()
                            + "' is refused: " + refused.getMessage(),
                    "Correct the schedule, or the property that it refers to.",
                    refused);
        }
    }
}
