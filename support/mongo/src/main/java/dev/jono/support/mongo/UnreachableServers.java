package dev.jono.support.mongo;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shortens the driver's description of the servers, when it found none that it can use, to one line. Stateless. */
final class UnreachableServers {
    private static final Pattern STATE =
            Pattern.compile("Client view of cluster state is \\{type=\\w+, servers=\\[(.*)]", Pattern.DOTALL);
    private static final Pattern SERVER = Pattern.compile("\\{address=([^,}]+), type=(\\w+)");
    private static final Pattern REASON = Pattern.compile("(?:exception=|caused by )\\{[\\w.$]+: ([^{}]*)}");

    private UnreachableServers() {}

    /** The reason why no server was found; the driver's own text if it has an unknown form. */
    static String describe(String driverText) {
        Matcher state = STATE.matcher(driverText);
        if (!state.find()) {
            return driverText;
        }
        List<String> servers = servers(state.group(1));
        return servers.isEmpty()
                ? "no host of the URI is a member of the replica set that its option replicaSet names"
                : "no server that accepts writes answers: " + String.join(", ", servers);
    }

    private static List<String> servers(String text) {
        List<String> servers = new ArrayList<>();
        Matcher server = SERVER.matcher(text);
        int from = 0;
        while (server.find(from)) {
            int next = text.indexOf("{address=", server.end());
            String about = text.substring(server.end(), next < 0 ? text.length() : next);
            String state = server.group(2).toLowerCase(Locale.ROOT).replace('_', ' ');
            for (Matcher reason = REASON.matcher(about); reason.find(); ) {
                state = reason.group(1); // the last one is the innermost cause
            }
            servers.add(server.group(1) + " (" + (state.equals("unknown") ? "no answer" : state) + ")");
            from = server.end();
        }
        return servers;
    }
}
