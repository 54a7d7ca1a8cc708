package dev.jono.dashboard;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Dashboard} as a servlet (Jakarta Servlet 6). Map it to a prefix, such as {@code /jono/*}. Who may use it is decided by the
 * application's own security and by {@link Access}, which gets the name of {@link HttpServletRequest#getUserPrincipal}. Does not close
 * the dashboard.
 */
public final class DashboardServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // servlets are not serialized
    private final Dashboard dashboard;

    /** A servlet for this dashboard. */
    public DashboardServlet(Dashboard dashboard) {
        this.dashboard = dashboard;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        dashboard.handle(new ServletExchange(request, response));
    }

    private record ServletExchange(HttpServletRequest request, HttpServletResponse response) implements Exchange {
        @Override
        public String method() {
            return request.getMethod().toUpperCase(Locale.ROOT);
        }

        @Override
        public String mount() {
            return request.getContextPath() + request.getServletPath();
        }

        /** From the URI, because the container decodes the path info. */
        @Override
        public String path() {
            String uri = request.getRequestURI();
            return uri.substring(Math.min(mount().length(), uri.length()));
        }

        @Override
        public @Nullable String query() {
            return request.getQueryString();
        }

        @Override
        public @Nullable String header(String name) {
            return request.getHeader(name);
        }

        @Override
        public @Nullable String user() {
            return request.getUserPrincipal() == null
                    ? null
                    : request.getUserPrincipal().getName();
        }

        @Override
        public String client() {
            return request.getRemoteAddr();
        }

        @Override
        public InputStream body() throws IOException {
            return request.getInputStream();
        }

        @Override
        public OutputStream answer(int status, Map<String, String> headers, long length) throws IOException {
            response.setStatus(status);
            headers.forEach(response::setHeader);
            if (length >= 0) {
                response.setContentLengthLong(length);
            }
            return response.getOutputStream();
        }
    }
}
