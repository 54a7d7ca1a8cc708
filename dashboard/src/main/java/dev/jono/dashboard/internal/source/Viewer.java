package dev.jono.dashboard.internal.source;

import dev.jono.dashboard.Access;
import dev.jono.dashboard.Operation;
import dev.jono.dashboard.internal.http.ProblemException;
import dev.jono.dashboard.internal.http.Request;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who makes a request, and what this user may do. Immutable. */
public final class Viewer {
    private static final Logger LOG = LoggerFactory.getLogger("dev.jono.dashboard");

    private final Access access;
    private final Request request;

    public Viewer(Access access, Request request) {
        this.access = access;
        this.request = request;
    }

    /** Whether the user may do something to a queue or to the jobs of a type. */
    public boolean may(Operation operation, String target) {
        return access.allows(request.user(), operation, target);
    }

    /** Refuses what the user may not do. */
    public void require(Operation operation, String target) {
        if (!may(operation, target)) {
            throw new ProblemException(
                    403, "you may not " + operation.label() + (target.isEmpty() ? "" : " here: '" + target + "'"));
        }
    }

    /** Logs a change. */
    void did(Source source, String what) {
        LOG.info("{} {} (storage '{}')", request.who(), what, source.name());
    }
}
