package dev.jono.backend.sqlite;

import java.util.concurrent.locks.LockSupport;

/** A daemon thread whose owner can wait for its end. Thread-safe. */
final class BackgroundThread {
    private final Thread thread;

    BackgroundThread(String name, Runnable task) {
        this.thread = new Thread(task, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    void unpark() {
        LockSupport.unpark(thread);
    }

    /**
     * Waits until the thread has ended; returns at once when called by the thread itself. Keeps an interrupt for later.
     */
    void join() {
        boolean interrupted = false;
        while (!isCurrent() && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
