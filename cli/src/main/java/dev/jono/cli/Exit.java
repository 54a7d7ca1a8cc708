package dev.jono.cli;

/** The exit codes. */
final class Exit {
    /** Success. */
    static final int DONE = 0;
    /** The command failed, or succeeded in part only. */
    static final int ERROR = 1;
    /** The command line is wrong. */
    static final int USAGE = 2;
    /** There was no message to take, show or move. */
    static final int NOTHING = 3;
    /** Ended by Ctrl-C: 128 plus the number of the signal, as in shells. */
    static final int INTERRUPTED = 130;

    private Exit() {}
}
