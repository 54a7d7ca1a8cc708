package dev.jono.jobs;

/** The registration of a listener. Thread-safe. */
public interface JobListening extends AutoCloseable {
    /** Ends the calls of the listener. A call in progress continues; no other call begins. Idempotent; does not block. */
    @Override
    void close();
}
