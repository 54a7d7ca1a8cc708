package dev.jono.examples.pipeline;

import dev.jono.Backoff;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A process that runs the pipeline until it reads a line, and prints each line of the log that leaves the pipeline. */
public final class LogPipelineChild {
    static final String READY = "ready";
    static final String LEFT = "left ";

    private LogPipelineChild() {}

    public static void main(String[] args) throws IOException {
        Report report = new Report((how, id) -> System.out.println(LEFT + id));
        try (LogPipeline pipeline = new LogPipeline(args[0], Countries.byHash(), Backoff.standard(), report);
                BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            System.out.println(READY);
            orders.readLine();
            System.out.println("waiting " + pipeline.waiting());
        }
    }
}
