package dev.jono.cli;

import dev.jono.QueueFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the acts of one demo share.
 *
 * @param storage the URL of the storage
 * @param temporary whether the end of the demo removes the storage
 * @param jono the storage, connected by this process
 * @param prefix begins the names of all queues and types of jobs
 * @param directory a directory for files, which the end of the demo removes
 */
record DemoSetting(
        CommonOptions common,
        ChangingLine display,
        String storage,
        boolean temporary,
        QueueFactory jono,
        String prefix,
        Path directory) {
    /** The command line of a child process. */
    List<String> child(String command, SharedClock clock, String... options) {
        List<String> words = new ArrayList<>(List.of(command, storage, "--prefix", prefix, "--origin", clock.origin()));
        words.addAll(List.of(options));
        return words;
    }
}
