package dev.jono.support.mongo.testing;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs an action once in the middle of a call: before a command is sent, or after its answer has arrived. It listens to
 * the commands of one client, and holds one action at a time. Thread-safe.
 */
public final class CommandHooks implements CommandListener {
    private record Hook(String command, boolean before, Runnable action) {}

    private final AtomicReference<@Nullable Hook> next = new AtomicReference<>();
    private volatile int answered = -1;

    /** Without an action. */
    public CommandHooks() {}

    /** A client whose commands it listens to. */
    public MongoClient client(String uri) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .addCommandListener(this)
                .build());
    }

    /** Runs an action before the next command of this name. */
    public void before(String command, Runnable action) {
        next.set(new Hook(command, true, action));
    }

    /** Runs an action after the answer to the next command of this name. */
    public void after(String command, Runnable action) {
        next.set(new Hook(command, false, action));
    }

    /** Whether the action has run. */
    public boolean done() {
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
