package dev.jono.cli;

import dev.jono.QueueFactory;
import dev.jono.jobs.Jobs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A command that pauses a type of jobs, or ends the pause. */
abstract class JobsPauseCommand extends StorageCommand {
    @Parameters(index = "1", paramLabel = "TYPE", description = "The name of the type.")
    private String type = "";

    private JobsPauseCommand(CommonOptions common) {
        super(common);
    }

    @Override
    void checkUsage() {
        JobOptions.type(type);
    }

    @Override
    int run(QueueFactory jono) {
        change(Jobs.on(jono), type);
        io().say("job type '" + type + "' is "
                + getClass().getAnnotation(Command.class).name() + "d");
        return Exit.DONE;
    }

    abstract void change(Jobs jobs, String name);

    @Command(
            name = "pause",
            sortOptions = false,
            description = "Start no jobs of a type, in any process, until 'resume'. Running jobs continue.")
    static final class Pause extends JobsPauseCommand {
        Pause(CommonOptions common) {
            super(common);
        }

        @Override
        void change(Jobs jobs, String name) {
            jobs.pause(name);
        }
    }

    @Command(name = "resume", sortOptions = false, description = "End the pause of a type.")
    static final class Resume extends JobsPauseCommand {
        Resume(CommonOptions common) {
            super(common);
        }

        @Override
        void change(Jobs jobs, String name) {
            jobs.resume(name);
        }
    }
}
