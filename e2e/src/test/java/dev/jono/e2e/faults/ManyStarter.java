package dev.jono.e2e.faults;

import dev.jono.Codec;
import dev.jono.MessageQueue;
import dev.jono.QueueFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A process that starts a number of clients at once, for each URL that it reads. Each one pushes a message and pops one. */
public final class ManyStarter {
    private ManyStarter() {}

    /** The argument is the number of clients. */
    public static void main(String[] arguments) throws IOException {
        int clients = Integer.parseInt(arguments[0]);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        say("ready");
        for (String url = input.readLine(); url != null; url = input.readLine()) {
            String all = url;
            for (int i = 0; i < clients; i++) {
                new Thread(() -> say(end(all))).start();
            }
        }
    }

    /** Returns {@code done}, or the failure. */
    private static String end(String url) {
        try (QueueFactory jono = QueueFactory.connect(url)) {
            MessageQueue<String> queue = jono.queue("orders", Codec.string());
            queue.push("x");
            return queue.pop(Duration.ofSeconds(30)).isPresent() ? "done" : "nothing came";
        } catch (Exception failure) {
            return failure.toString().replace('\n', ' ');
        }
    }

    @SuppressWarnings("SystemOut") // the test reads it
    private static synchronized void say(String line) {
        System.out.println(line);
    }
}
