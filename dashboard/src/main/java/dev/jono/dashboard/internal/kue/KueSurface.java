package dev.jono.dashboard.internal.kue;

import dev.jono.dashboard.internal.http.Answer;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.dashboard.internal.http.Request;
import dev.jono.dashboard.internal.http.Router;
import dev.jono.dashboard.internal.source.Services;
import java.util.function.Function;

/** The routes of Kue at {@code kue}, and those of Vert.x Kue at {@code vertx-kue}. Thread-safe. */
public final class KueSurface {
    private final KueRoutes kue;
    private final VertxKueRoutes vertx;

    /**
     * The routes on some storages.
     *
     * @param unsafeGet whether {@code GET /inactive/:id} restarts a job
     */
    public KueSurface(Services services, boolean unsafeGet) {
        KueJobs jobs = new KueJobs(services);
        Function<Request, KueJobs.Caller> callers =
                request -> new KueJobs.Caller(services.source(request), services.viewer(request));
        this.kue = new KueRoutes(jobs, callers, unsafeGet);
        this.vertx = new VertxKueRoutes(jobs, callers);
    }

    /** Adds all routes. */
    public void addTo(Router router) {
        kue.addTo(router);
        vertx.addTo(router);
    }

    /** Whether a path, with a slash at its start, is one of these routes. */
    public static boolean owns(String path) {
        return path.startsWith("/" + KueRoutes.ROOT) || path.startsWith("/" + VertxKueRoutes.ROOT);
    }

    /** A refusal, in the shape that clients of the path expect. */
    public Answer problem(String path, ProblemException problem) {
        return path.startsWith("/" + KueRoutes.ROOT) ? kue.problem(problem) : vertx.problem(problem);
    }
}
