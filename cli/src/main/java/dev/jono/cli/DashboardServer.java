package dev.jono.cli;

import dev.jono.dashboard.Dashboard;
import dev.jono.dashboard.DashboardServlet;
import java.util.Arrays;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.ee11.servlet.security.ConstraintMapping;
import org.eclipse.jetty.ee11.servlet.security.ConstraintSecurityHandler;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.security.Constraint;
import org.eclipse.jetty.security.HashLoginService;
import org.eclipse.jetty.security.UserStore;
import org.eclipse.jetty.security.authentication.BasicAuthenticator;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.security.Credential;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/** The stand-alone server of the dashboard: Jetty, with HTTP Basic authentication if there is a user. */
final class DashboardServer implements AutoCloseable {
    private static final int THREADS = 100;
    private static final int MAX_HEADERS = 16 << 10;
    private static final String ROLE = "user";

    private final Dashboard dashboard;
    private final Server server;

    private DashboardServer(Dashboard dashboard, Server server) {
        this.dashboard = dashboard;
        this.server = server;
    }

    /**
     * Starts a server at the root of an address. Closing it closes the dashboard.
     *
     * @param user the user that it asks for; null if it asks for none
     * @param password the password of the user
     */
    static DashboardServer start(
            Dashboard dashboard, String host, int port, @Nullable String user, @Nullable String password) {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS);
        threads.setName("dashboard");
        Server server = new Server(threads);
        server.addConnector(connector(server, host, port));
        ServletContextHandler context = new ServletContextHandler("/", ServletContextHandler.NO_SESSIONS);
        context.addServlet(new ServletHolder(new DashboardServlet(dashboard)), "/*");
        context.getServletHandler().setDecodeAmbiguousURIs(true);
        if (user != null && password != null) {
            context.setSecurityHandler(basic(user, password));
        }
        server.setHandler(context);
        DashboardServer started = new DashboardServer(dashboard, server);
        try {
            server.start();
        } catch (Exception e) {
            started.close();
            throw CliException.error("the dashboard cannot listen on " + host + ":" + port + ": " + ErrorLine.of(e));
        }
        return started;
    }

    private static ServerConnector connector(Server server, String host, int port) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(MAX_HEADERS);
        // Names of queues can contain a slash, which a path has as %2F.
        http.setUriCompliance(UriCompliance.DEFAULT.with("names", UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR));
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setHost(host);
        connector.setPort(port);
        return connector;
    }

    private static ConstraintSecurityHandler basic(String user, String password) {
        UserStore users = new UserStore();
        users.addUser(user, Credential.getCredential(password), new String[] {ROLE});
        HashLoginService logins = new HashLoginService("Jono");
        logins.setUserStore(users);
        ConstraintMapping everything = new ConstraintMapping();
        everything.setPathSpec("/*");
        everything.setConstraint(Constraint.from(ROLE));
        ConstraintSecurityHandler security = new ConstraintSecurityHandler();
        security.setAuthenticator(new BasicAuthenticator());
        security.setLoginService(logins);
        security.addConstraintMapping(everything);
        return security;
    }

    /** Where browsers find it. */
    String url() {
        ServerConnector connector =
                (ServerConnector) Arrays.asList(server.getConnectors()).get(0);
        String host = connector.getHost();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + connector.getLocalPort() + "/";
    }

    /** Waits until the server ends, or the thread is interrupted. */
    void join() throws InterruptedException {
        server.join();
    }

    @Override
    public void close() {
        dashboard.close(); // ends the streams, for which the server would wait
        try {
            server.stop();
        } catch (Exception e) {
            throw CliException.error("the server of the dashboard did not stop: " + ErrorLine.of(e));
        }
    }
}
