package dev.jono.cli;

import dev.jono.EditOutcome;
import java.io.IOException;

/** Prints the outcome of each change to a waiting message, and sums them up as an exit code. */
final class Edits {
    private final Io io;
    private final String participle;
    private final String queue;
    private final JsonLines lines;
    private int done;
    private int absent;
    private int refused;

    /**
     * No change yet.
     *
     * @param participle the change, such as {@code rescheduled}
     * @param queue the queue that holds the messages
     */
    Edits(Io io, String participle, String queue) throws IOException {
        this.io = io;
        this.participle = participle;
        this.queue = queue;
        this.lines = new JsonLines(io.out());
    }

    /** Adds an outcome: a line of output if the message was changed, and a message for the user otherwise. */
    void add(String id, EditOutcome outcome) {
        switch (outcome) {
            case DONE -> done(id);
            case HELD -> refused(id, "a consumer holds it");
            case ABSENT -> {
                absent++;
                io.say("there is no " + message(id));
            }
        }
    }

    /** Adds a message that cannot be changed. */
    void refused(String id, String reason) {
        refused++;
        io.say("jono: " + message(id) + " was not " + participle + ": " + reason);
    }

    private void done(String id) {
        done++;
        try {
            lines.line(json -> {
                json.writeStringField("id", id);
                json.writeStringField("result", participle);
            });
            lines.flush();
        } catch (IOException e) {
            throw CliException.error(ErrorLine.messages(done) + " " + participle + ", but " + ErrorLine.of(e), e);
        }
    }

    private String message(String id) {
        return "message " + id + " in queue '" + queue + "'";
    }

    /** {@link Exit#DONE} if all were changed, {@link Exit#NOTHING} if none was found. */
    int exitCode() {
        if (refused == 0 && absent == 0) {
            return Exit.DONE;
        }
        return refused == 0 && done == 0 ? Exit.NOTHING : Exit.ERROR;
    }
}
