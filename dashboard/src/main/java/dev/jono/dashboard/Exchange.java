package dev.jono.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP request and its answer, as an HTTP server offers them to {@link Dashboard#handle}. An adapter for a server implements
 * this; {@link DashboardServlet} is one. Used by one thread.
 */
public interface Exchange {
    /** The method, in upper case. */
    String method();

    /**
     * The path below the place where the dashboard is mounted, still encoded; empty if the request named this place without a slash
     * at its end, otherwise it begins with a slash.
     */
    String path();

    /** The path at which the dashboard is mounted, still encoded, such as {@code /jono}; empty at the root. */
    String mount();

    /** The query, still encoded; null if there is none. */
    @Nullable String query();

    /** The first header of this name; null if there is none. */
    @Nullable String header(String name);

    /** The name of the authenticated user; null if the server has authenticated nobody. */
    @Nullable String user();

    /** The address of the client, for the log. */
    String client();

    /** Returns the body of the request. */
    InputStream body() throws IOException;

    /**
     * Begins the answer. Called once.
     *
     * @param status the status code
     * @param headers the headers
     * @param length the number of bytes that will be written; -1 if it is not known, as for a stream of events
     * @return where the body is written
     */
    OutputStream answer(int status, Map<String, String> headers, long length) throws IOException;
}
