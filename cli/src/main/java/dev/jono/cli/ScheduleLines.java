package dev.jono.cli;

import dev.jono.Durations;
import dev.jono.jobs.ScheduleView;
import java.io.IOException;
import java.util.Locale;

/** Writes schedules as JSON lines. */
final class ScheduleLines {
    private ScheduleLines() {}

    static void schedule(JsonLines lines, ScheduleView schedule) throws IOException {
        lines.line(json -> {
            json.writeStringField("name", schedule.name());
            json.writeStringField("cron", schedule.cron());
            json.writeStringField("zone", schedule.zone().getId());
            json.writeStringField("type", schedule.type());
            json.writeStringField("priority", schedule.priority().name().toLowerCase(Locale.ROOT));
            JsonLines.payload(json, schedule.payload());
            JobLines.tags(json, schedule.tags());
            json.writeStringField("missedAfter", Durations.format(schedule.missedAfter()));
            if (schedule.skipsMissed()) {
                json.writeBooleanField("skipMissed", true);
            }
            JobLines.text(json, "next", schedule.next());
            JobLines.text(json, "last", schedule.last());
            if (schedule.isPaused()) {
                json.writeBooleanField("paused", true);
            }
        });
    }
}
