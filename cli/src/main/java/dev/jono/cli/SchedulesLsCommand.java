package dev.jono.cli;

import dev.jono.QueueFactory;
import dev.jono.jobs.Jobs;
import dev.jono.jobs.ScheduleView;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;

@Command(name = "ls", sortOptions = false, description = "List the schedules, by name.")
final class SchedulesLsCommand extends StorageCommand {
    SchedulesLsCommand(CommonOptions common) {
        super(common);
    }

    @Override
    int run(QueueFactory jono) throws IOException {
        List<ScheduleView> schedules = Jobs.on(jono).schedules();
        JsonLines lines = new JsonLines(io().out());
        for (ScheduleView schedule : schedules) {
            ScheduleLines.schedule(lines, schedule);
        }
        lines.flush();
        return schedules.isEmpty() ? Exit.NOTHING : Exit.DONE;
    }
}
