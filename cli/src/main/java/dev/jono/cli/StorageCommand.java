package dev.jono.cli;

import dev.jono.BackendInfo;
import dev.jono.Capability;
import dev.jono.QueueFactory;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A command that works on a storage. */
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

    /** Refuses a backend whose queues live in one process. */
    static void requireShared(String url, String command) {
        if (!isShared(url)) {
            throw CliException.error("'" + command + "' makes no sense on '" + type(url)
                    + ":', whose queues live and end with one process; name a storage that processes share, such as"
                    + " sqlite:/tmp/queues.db");
        }
    }

    /** Whether processes share the queues behind this URL, as far as it names a known backend. */
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

    /** Whether a storage that is a file is made when it is not there: to put something in, or to wait for it. */
    boolean createsStorage() {
        return false;
    }

    /** A URL that names a file only if there is one: a typing error is not to leave an empty one behind. */
    private static String withoutCreation(String url) {
        if (!type(url).equals("sqlite") || url.contains(CREATE)) {
            return url;
        }
        return url + (url.contains("?") ? "&" : "?") + CREATE + "false";
    }

    /** Refuses combinations of options that make no sense, before anything is opened. */
    void checkUsage() {}

    /** Opens the storage. */
    QueueFactory connect(String storage) {
        return common.connect(storage);
    }

    /** Does the work; returns the exit code. */
    abstract int run(QueueFactory jono) throws IOException, InterruptedException;

    final CommonOptions common() {
        return common;
    }

    final Io io() {
        return common.io();
    }
}
