package dev.jono.cli;

/** What exit codes mean. */
final class Exit {
    /** Done. */
    static final int DONE = 0;
    /** Not done, or only in part. */
    static final int ERROR = 1;
    /** The command line makes no sense. */
    static final int USAGE = 2;
    /** There was nothing to take, show or move. */
    static final int NOTHING = 3;
    /** Ended by Ctrl-C; 128 and the signal's number, as shells have it. */
    static final int INTERRUPTED = 130;

    private Exit() {}
}
