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
 * Starts the servers and the processes of all contestants, several at a time. A contestant whose server or process
 * cannot be started is not run, and the tables give the reason.
 */
final class SessionStarter {
    private static final int THREADS = 6;

    private final Path peers;
    private final Path installed;
    private final Map<Contestant, String> absent = new LinkedHashMap<>();

    /**
     * Starts nothing yet.
     *
     * @param peers the folder with the programs for Node libraries
     * @param installed the folder into which npm installs these libraries, each in {@code compare-NAME}
     */
    SessionStarter(Path peers, Path installed) {
        this.peers = peers;
        this.installed = installed;
    }

    /** Returns the contestants that are not run, with the reasons. */
    Map<Contestant, String> absent() {
        return absent;
    }

    /** Starts these contestants; returns those that run, in the same order. */
    List<Session> start(List<Contestant> all, Servers servers) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            // One task per storage, so that each server is started once.
            List<Future<Server>> started = new ArrayList<>();
            for (Storage storage :
                    all.stream().map(Contestant::storage).distinct().toList()) {
                started.add(threads.submit(() -> servers.of(storage)));
            }
            for (Future<Server> server : started) {
                try {
                    server.get();
                } catch (ExecutionException notStarted) {
                    // Reported below for each contestant of the storage.
                }
            }
            List<Future<Session>> begun = all.stream()
                    .map(contestant -> threads.submit(() -> start(contestant, servers)))
                    .toList();
            List<Session> sessions = new ArrayList<>();
            for (int i = 0; i < begun.size(); i++) {
                try {
                    sessions.add(begun.get(i).get());
                } catch (ExecutionException e) {
                    String why = String.valueOf(
                            e.getCause() == null ? e : e.getCause().getMessage());
                    why = why.lines().findFirst().orElse("it did not start");
                    System.err.println("not run: " + all.get(i).id() + ": " + why);
                    absent.put(all.get(i), why);
                }
            }
            return sessions;
        } finally {
            threads.shutdownNow();
        }
    }

    private Session start(Contestant contestant, Servers servers) throws IOException, InterruptedException {
        Session session = new Session(contestant, servers.of(contestant.storage()), peers, installed);
        session.processes(1);
        return session;
    }
}
