package dev.jono.support.mongo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the driver knows of the servers when it has found none to work with, in one line. */
final class UnreachableServers {
    private static final Pattern STATE =
            Pattern.compile("Client view of cluster state is \\{type=\\w+, servers=\\[(.*)]", Pattern.DOTALL);
    private static final Pattern SERVER = Pattern.compile("\\{address=([^,}]+), type=(\\w+)");
    private static final Pattern REASON = Pattern.compile("(?:exception=|caused by )\\{[\\w.$]+: ([^{}]*)}");

    private UnreachableServers() {}

    /** What the driver says of a search for a server that took too long; its own text where that has another form. */
    static String describe(String driverText) {
        Matcher state = STATE.matcher(driverText);
        if (!state.find()) {
            return driverText;
        }
        List<String> servers = servers(state.group(1));
        return servers.isEmpty()
                ? "no host of the URI is a member of the replica set that its option replicaSet names"
                : "no server answers that can take writes: " + String.join(", ", servers);
    }

    private static List<String> servers(String text) {
        List<String> servers = new ArrayList<>();
        Matcher server = SERVER.matcher(text);
        int from = 0;
        while (server.find(from)) {
            int next = text.indexOf("{address=", server.end());
            String about = text.substring(server.end(), next < 0 ? text.length() : next);
            String why = server.group(2).toLowerCase(Locale.ROOT).replace('_', ' ');
            for (Matcher reason = REASON.matcher(about); reason.find(); ) {
                why = reason.group(1); // the innermost stands last
            }
            servers.add(server.group(1) + " (" + (why.equals("unknown") ? "no answer" : why) + ")");
            from = server.end();
        }
        return servers;
    }
}
