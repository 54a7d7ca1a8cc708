package dev.jono.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Starts the servers and the processes of all contestants, some at a time. Whose server is not to be had, or whose process does not
 * start, is not run, and the tables say why.
 */
final class SessionStarter {
    private static final int AT_A_TIME = 6;

    private final Path peers;
    private final Path installed;
    private final Map<Contestant, String> absent = new LinkedHashMap<>();

    /**
     * Starts nothing yet.
     *
     * @param peers where the programs of the Node libraries lie
     * @param installed where npm has put these libraries, {@code compare-NAME} each
     */
    SessionStarter(Path peers, Path installed) {
        this.peers = peers;
        this.installed = installed;
    }

    /** Who is not run, and why. */
    Map<Contestant, String> absent() {
        return absent;
    }

    /** Those that can be run, in this order. */
    List<Session> open(List<Contestant> all, Servers servers) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            // One thread for each storage: a server is started once.
            List<Future<Server>> started = new ArrayList<>();
            for (Storage storage :
                    all.stream().map(Contestant::storage).distinct().toList()) {
                started.add(threads.submit(() -> servers.of(storage)));
            }
            for (Future<Server> server : started) {
                try {
                    server.get();
                } catch (ExecutionException notHere) {
                    // said below, of each that wants it
                }
            }
            List<Future<Session>> begun = all.stream()
                    .map(who -> threads.submit(() -> begin(who, servers)))
                    .toList();
            List<Session> sessions = new ArrayList<>();
            for (int i = 0; i < begun.size(); i++) {
                try {
                    sessions.add(begun.get(i).get());
                } catch (ExecutionException e) {
                    String why = String.valueOf(
                            e.getCause() == null ? e : e.getCause().getMessage());
                    why = why.lines().findFirst().orElse("it does not start");
                    System.err.println("not run: " + all.get(i).id() + ": " + why);
                    absent.put(all.get(i), why);
                }
            }
            return sessions;
        } finally {
            threads.shutdownNow();
        }
    }

    private Session begin(Contestant who, Servers servers) throws IOException, InterruptedException {
        Session session = new Session(who, servers.of(who.storage()), peers, installed);
        session.peers(1);
        return session;
    }
}
