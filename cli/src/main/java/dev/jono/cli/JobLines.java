package dev.jono.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.jono.jobs.JobAttempt;
import dev.jono.jobs.JobLogLine;
import dev.jono.jobs.JobProgress;
import dev.jono.jobs.JobView;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Writes jobs as JSON lines. */
final class JobLines {
    private JobLines() {}

    /** Writes a line about a job, without its attempts. */
    static void job(JsonLines lines, JobView job) throws IOException {
        lines.line(json -> fields(json, job));
    }

    /** Writes a line with everything about a job but its log. */
    static void details(JsonLines lines, JobView job) throws IOException {
        lines.line(json -> {
            fields(json, job);
            json.writeArrayFieldStart("attempts");
            for (JobAttempt attempt : job.attempts()) {
                attempt(json, attempt);
            }
            json.writeEndArray();
        });
    }

    /** Writes each line of a log as a line. */
    static void log(JsonLines lines, List<JobLogLine> log) throws IOException {
        for (JobLogLine line : log) {
            lines.line(json -> {
                json.writeStringField("time", line.time().toString());
                json.writeNumberField("attempt", line.attempt());
                json.writeStringField("text", line.text());
            });
        }
    }

    private static void fields(JsonGenerator json, JobView job) throws IOException {
        json.writeStringField("id", job.id());
        json.writeStringField("state", job.state().name().toLowerCase(Locale.ROOT));
        json.writeStringField("priority", job.priority().name().toLowerCase(Locale.ROOT));
        JsonLines.payload(json, job.payload());
        json.writeNumberField("attempt", job.attempt());
        tags(json, job.tags());
        text(json, "key", job.key());
        text(json, "enqueuedAt", job.enqueuedAt());
        text(json, "dueAt", job.dueAt());
        text(json, "endedAt", job.endedAt());
        if (job.progress().isPresent()) {
            progress(json, job.progress().get());
        }
        if (job.result().isPresent()) {
            json.writeFieldName("result");
            json.writeRawValue(job.result().get());
        }
        text(json, "reason", job.reason());
    }

    private static void progress(JsonGenerator json, JobProgress progress) throws IOException {
        json.writeObjectFieldStart("progress");
        json.writeNumberField("done", progress.done());
        json.writeNumberField("total", progress.total());
        json.writeNumberField("percent", progress.percent());
        if (progress.data() != null) {
            json.writeFieldName("data");
            json.writeRawValue(progress.data());
        }
        json.writeEndObject();
    }

    private static void attempt(JsonGenerator json, JobAttempt attempt) throws IOException {
        json.writeStartObject();
        json.writeNumberField("number", attempt.number());
        if (!attempt.runner().isEmpty()) {
            json.writeStringField("runner", attempt.runner());
        }
        if (attempt.start() != null) {
            json.writeStringField("start", attempt.start().toString());
        }
        millis(json, "waitedMillis", attempt.queueTime());
        millis(json, "millis", attempt.runTime());
        text(json, "error", attempt.failure());
        json.writeEndObject();
    }

    private static void millis(JsonGenerator json, String name, Optional<Duration> time) throws IOException {
        if (time.isPresent()) {
            json.writeNumberField(name, time.get().toMillis());
        }
    }

    /** Writes tags, if there are any. */
    static void tags(JsonGenerator json, Set<String> tags) throws IOException {
        if (!tags.isEmpty()) {
            json.writeArrayFieldStart("tags");
            for (String tag : tags) {
                json.writeString(tag);
            }
            json.writeEndArray();
        }
    }

    /** Writes a value as a text, if there is one. */
    static void text(JsonGenerator json, String name, Optional<?> value) throws IOException {
        if (value.isPresent()) {
            json.writeStringField(name, value.get().toString());
        }
    }
}
