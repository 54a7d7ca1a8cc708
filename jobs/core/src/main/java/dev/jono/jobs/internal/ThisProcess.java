package dev.jono.jobs.internal;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The names of this process. */
final class ThisProcess {
    private ThisProcess() {}

    static long pid() {
        return ProcessHandle.current().pid();
    }

    /** The name of the host, as its system knows it. */
    static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    static String name() {
        return pid() + "@" + host();
    }
}
