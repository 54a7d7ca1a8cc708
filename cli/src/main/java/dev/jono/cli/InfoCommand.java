package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.QueueCounts;
import dev.jono.QueueFactory;
import dev.jono.QueueStats;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Command;

@Command(name = "info", sortOptions = false, description = "Show how many messages a queue holds, and its counters.")
final class InfoCommand extends QueueCommand {
    InfoCommand(CommonOptions common) {
        super(common);
    }

    @Override
    int run(QueueFactory jono, MessageQueue<EncodedPayload> queue) throws IOException {
        QueueCounts counts = queue.counts();
        Optional<Instant> next = queue.nextMaturity();
        QueueStats stats = queue.stats();
        boolean paused = queue.isPaused();
        JsonLines lines = new JsonLines(io().out());
        lines.line(json -> {
            json.writeStringField("name", queue.name());
            json.writeStringField("type", queue.backend());
            JsonLines.counts(json, counts);
            json.writeStringField("nextMaturity", next.map(Instant::toString).orElse(null));
            json.writeBooleanField("paused", paused);
            json.writeObjectFieldStart("stats");
            json.writeNumberField("pushed", stats.pushed());
            json.writeNumberField("popped", stats.popped());
            json.writeNumberField("reserved", stats.reserved());
            json.writeNumberField("acked", stats.acked());
            json.writeNumberField("retried", stats.retried());
            json.writeNumberField("released", stats.released());
            json.writeNumberField("deadLettered", stats.deadLettered());
            json.writeEndObject();
        });
        lines.flush();
        return Exit.DONE;
    }
}
