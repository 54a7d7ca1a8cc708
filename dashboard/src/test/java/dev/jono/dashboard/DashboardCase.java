package dev.jono.dashboard;

import dev.jono.Codec;
import dev.jono.EncodedPayload;
import dev.jono.MessageQueue;
import dev.jono.PayloadKind;
import dev.jono.QueueFactory;
import dev.jono.QueueOptions;
import dev.jono.jobs.JobType;
import dev.jono.jobs.Jobs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The base of tests with a dashboard on a SQLite file. */
abstract class DashboardCase {
    static final JobType<String, String> RESIZE =
            JobType.of("resize", String.class).returning(String.class);

    @TempDir
    Path folder;

    QueueFactory jono;
    Jobs jobs;
    Site site;

    @BeforeEach
    void open() {
        jono = QueueFactory.connect("sqlite:" + folder.resolve("queues.db"));
        jobs = Jobs.on(jono);
        site = Site.of(dashboard());
    }

    /** The dashboard under test. */
    Dashboard dashboard() {
        return Dashboard.of(jono);
    }

    @AfterEach
    void close() {
        site.close();
        jono.close();
    }

    MessageQueue<EncodedPayload> raw(String name) {
        return jono.queue(name, Codec.raw());
    }

    MessageQueue<EncodedPayload> keyed(String name) {
        return jono.queue(name, Codec.raw(), QueueOptions.builder().keyed().build());
    }

    static EncodedPayload jsonPayload(String text) {
        return EncodedPayload.of(PayloadKind.JSON, text.getBytes(StandardCharsets.UTF_8));
    }

    static EncodedPayload textPayload(String text) {
        return EncodedPayload.of(PayloadKind.STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Another name for what a page shows in HTML. */
    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
