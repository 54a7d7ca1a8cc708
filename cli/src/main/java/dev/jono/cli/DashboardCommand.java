package dev.jono.cli;

import dev.jono.QueueFactory;
import dev.jono.dashboard.Access;
import dev.jono.dashboard.Dashboard;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "dashboard",
        sortOptions = false,
        description = {
            "Show queues and jobs in a browser and by REST, until Ctrl-C.",
            "Without a user, only programs on this machine can reach it."
        })
final class DashboardCommand implements Callable<Integer> {
    private final CommonOptions common;

    @Parameters(
            paramLabel = "URL",
            arity = "1..*",
            description = "One or more storages, such as sqlite:/var/lib/queues.db.")
    private List<String> urls = List.of();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "The port; 0 for a free one. Default: ${DEFAULT-VALUE}.")
    private int port = 8080;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description =
                    "The address to listen on. Any but this machine's own needs a user or --insecure. Default: ${DEFAULT-VALUE}.")
    private String host = "127.0.0.1";

    @Option(names = "--user", paramLabel = "NAME", description = "Ask for this user and a password (HTTP Basic).")
    private @Nullable String user;

    @Option(names = "--password-file", paramLabel = "FILE", description = "The file with the password.")
    private @Nullable Path passwordFile;

    @Option(names = "--insecure", description = "Let everybody who reaches the address do everything.")
    private boolean insecure;

    @Option(names = "--read-only", description = "Show everything, and let nobody change anything.")
    private boolean readOnly;

    @Option(names = "--title", paramLabel = "TEXT", description = "The title of the pages. Default: ${DEFAULT-VALUE}.")
    private String title = "Jono";

    @Option(names = "--kue", description = "Answer clients of Kue at /kue, and those of Vert.x Kue at /vertx-kue.")
    private boolean kue;

    @Option(
            names = "--kue-unsafe-get",
            description = "As --kue; also restart a job by GET, which Kue's own page needs.")
    private boolean kueUnsafeGet;

    DashboardCommand(CommonOptions common) {
        this.common = common;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        List<QueueFactory> opened = new ArrayList<>();
        InterruptSignals signals = new InterruptSignals();
        try (signals) {
            Dashboard.Builder builder =
                    Dashboard.builder().title(title).access(readOnly ? Access.readOnly() : Access.all());
            if (kueUnsafeGet) {
                builder.kueUnsafeGet();
            } else if (kue) {
                builder.kue();
            }
            for (String url : urls) {
                QueueFactory jono = common.connect(url);
                opened.add(jono);
                builder.storage(name(jono, opened.size()), jono);
            }
            serve(builder.build());
        } finally {
            opened.forEach(QueueFactory::close);
        }
        return Exit.DONE;
    }

    private void check() throws IOException {
        for (String url : urls) {
            StorageCommand.requireShared(url, "dashboard");
        }
        if ((user == null) != (passwordFile == null)) {
            throw CliException.usage("--user and --password-file belong together");
        }
        if (port < 0 || port > 65_535) {
            throw CliException.usage("--port must be from 0 to 65535: " + port);
        }
        if (user == null && !insecure && !InetAddress.getByName(host).isLoopbackAddress()) {
            throw CliException.usage("on " + host
                    + " others can reach the dashboard: add --user and --password-file, or" + " --insecure");
        }
    }

    /** The backend, with a number if that is not unique. */
    private String name(QueueFactory jono, int number) {
        return urls.size() == 1 ? jono.backend() : jono.backend() + "-" + number;
    }

    private void serve(Dashboard dashboard) throws IOException, InterruptedException {
        try (DashboardServer server = DashboardServer.start(dashboard, host, port, user, password())) {
            common.io().say("the dashboard is at " + server.url() + " (Ctrl-C ends it)");
            server.join();
        }
    }

    private @Nullable String password() throws IOException {
        Path file = passwordFile;
        if (file == null) {
            return null;
        }
        String password = Files.readString(file, StandardCharsets.UTF_8).strip();
        if (password.isEmpty()) {
            throw CliException.usage("the password in " + file + " is empty");
        }
        return password;
    }
}
