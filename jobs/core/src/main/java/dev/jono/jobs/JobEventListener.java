package dev.jono.jobs;

/** Hears events of jobs. See {@link Jobs#on(JobEventFilter, JobEventListener)}. */
@FunctionalInterface
public interface JobEventListener {
    /**
     * Called with one event at a time, on a thread of the factory's executor. An exception is logged, and has no other effect. While
     * the call lasts, up to 10,000 further events wait for this listener; more are dropped, which is logged.
     */
    void onEvent(JobEvent event);
}
