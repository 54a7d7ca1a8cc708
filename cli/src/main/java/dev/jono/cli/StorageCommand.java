package dev.jono.cli;

import dev.jono.BackendInfo;
import dev.jono.Capability;
import dev.jono.QueueFactory;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The base of commands that use a storage. */
abstract class StorageCommand implements Callable<Integer> {
    /** An option of {@code sqlite:}. */
    private static final String CREATE = "jono.create=";

    @Parameters(index = "0", paramLabel = "URL", description = "The storage, such as sqlite:/var/lib/queues.db.")
    private String url = "";

    private final CommonOptions common;

    StorageCommand(CommonOptions common) {
        this.common = common;
    }

    @Override
    public final Integer call() throws IOException, InterruptedException {
        checkUsage();
        requireShared(url, getClass().getAnnotation(Command.class).name());
        try (QueueFactory jono = connect(createsStorage() ? url : withoutCreation(url))) {
            return run(jono);
        }
    }

    /** Refuses a backend whose queues exist only in one process. */
    static void requireShared(String url, String command) {
        if (!isShared(url)) {
            throw CliException.error("'" + command + "' cannot use '" + type(url)
                    + ":', because its queues exist only in one process; use a shared storage, such as"
                    + " sqlite:/tmp/queues.db");
        }
    }

    /** Whether several processes can share the queues of this URL; true if its backend is unknown. */
    static boolean isShared(String url) {
        return QueueFactory.backends().stream()
                .filter(b -> b.type().equals(type(url)))
                .map(BackendInfo::capabilities)
                .allMatch(can -> can.contains(Capability.SHARED));
    }

    private static String type(String url) {
        int colon = url.indexOf(':');
        return colon < 0 ? url : url.substring(0, colon);
    }

    /** Whether the command creates a missing storage file, because it stores messages or waits for them. */
    boolean createsStorage() {
        return false;
    }

    /** The URL with the option that a missing SQLite file is an error, so that a wrong name creates no file. */
    private static String withoutCreation(String url) {
        if (!type(url).equals("sqlite") || url.contains(CREATE)) {
            return url;
        }
        return url + (url.contains("?") ? "&" : "?") + CREATE + "false";
    }

    /** Refuses wrong options and combinations of options, before the storage is opened. */
    void checkUsage() {}

    /** Opens the storage. */
    QueueFactory connect(String storage) {
        return common.connect(storage);
    }

    /** Runs the command, and returns the exit code. */
    abstract int run(QueueFactory jono) throws IOException, InterruptedException;

    final CommonOptions common() {
        return common;
    }

    final Io io() {
        return common.io();
    }
}
