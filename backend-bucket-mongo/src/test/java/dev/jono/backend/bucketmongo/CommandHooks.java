package dev.jono.backend.bucketmongo;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs an action once in the middle of a call: before a command is sent, or after its answer has arrived. */
final class CommandHooks implements CommandListener {
    private record Hook(String command, boolean before, Runnable action) {}

    private final AtomicReference<@Nullable Hook> next = new AtomicReference<>();
    private volatile int answered = -1;

    void before(String command, Runnable action) {
        next.set(new Hook(command, true, action));
    }

    void after(String command, Runnable action) {
        next.set(new Hook(command, false, action));
    }

    /** Whether the action has run. */
    boolean done() {
        return next.get() == null;
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        Hook hook = next.get();
        if (hook == null || !event.getCommandName().equals(hook.command())) {
            return;
        }
        if (!hook.before()) {
            answered = event.getRequestId();
        } else if (next.compareAndSet(hook, null)) {
            hook.action().run();
        }
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        Hook hook = event.getRequestId() == answered ? next.getAndSet(null) : null;
        if (hook != null) {
            hook.action().run();
        }
    }
}
