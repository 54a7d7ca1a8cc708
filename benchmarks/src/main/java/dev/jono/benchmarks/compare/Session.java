package dev.jono.benchmarks.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.jono.JonoClock;
import dev.jono.benchmarks.ChildProcess;
import dev.jono.benchmarks.QueueClient.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A contestant with its server, its queue and its processes. After a failure, {@link #restart} begins again with new
 * processes and another queue. One thread calls it.
 */
final class Session implements AutoCloseable {
    private static final JonoClock CLOCK = JonoClock.system();
    private static final ObjectMapper JSON = new ObjectMapper();
    /** How long a process may take to answer after it was stopped. */
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    final Contestant contestant;
    private final Server server;
    private final Path peers;
    private final Path installed;
    private final List<ContestantProcess> running = new ArrayList<>();
    private int generation;
    private int nextNumber;
    private int firstNumber;
    private final List<JsonNode> sinceRestart = new ArrayList<>();

    /**
     * Starts nothing yet.
     *
     * @param peers the folder with the programs for Node libraries
     * @param installed the folder into which npm installs these libraries, each in {@code compare-NAME}
     */
    Session(Contestant contestant, Server server, Path peers, Path installed) {
        this.contestant = contestant;
        this.server = server;
        this.peers = peers;
        this.installed = installed;
    }

    /** Returns a session of the same contestant on another server. */
    Session withServer(Server other) {
        return new Session(contestant, other, peers, installed);
    }

    /** Returns the first {@code count} processes; starts those that do not run yet. */
    List<ContestantProcess> processes(int count) throws IOException, InterruptedException {
        while (running.size() < count) {
            running.add(new ContestantProcess(start()));
        }
        return running.subList(0, count);
    }

    private ChildProcess start() throws IOException {
        Map<String, String> settings = new LinkedHashMap<>(contestant.settings());
        // Two contestants can be the same library, whose records stay: each has a queue of its own.
        String queue = (contestant.jobs() ? contestant.id() : "compare") + generation;
        // Contestants that share a server have a database of their own, or their own keys.
        String url = server.url("compare_" + contestant.id().replace('-', '_') + generation);
        settings.put("queue", queue);
        switch (contestant.storage()) {
            case SQLITE -> settings.put("file", file());
            case BEANSTALKD, BEANSTALKD_FSYNC -> settings.put("port", url);
            default -> {}
        }
        if (contestant.ours()) {
            String in =
                    contestant.storage() == Storage.SQLITE ? file() : contestant.storage() == Storage.MEMORY ? "" : url;
            settings.put("url", contestant.settings().get("backend") + ":" + in);
            settings.put("queue", "jono-" + queue);
        } else {
            settings.put("url", url);
        }
        if (contestant.inNode()) {
            return new ChildProcess(List.of(
                    "node",
                    peers.resolve(contestant.driver()).resolve("peer.js").toString(),
                    installed.resolve("compare-" + contestant.driver()).toString(),
                    JSON.writeValueAsString(settings)));
        }
        return ChildProcess.jvm(
                List.of("-Xmx2g", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"),
                ContestantMain.class,
                contestant.driver(),
                JSON.writeValueAsString(settings));
    }

    private String file() {
        return Path.of(server.url())
                .resolve(contestant.id() + generation + ".db")
                .toString();
    }

    /** Ends all processes; the next ones have another queue. */
    void restart() throws IOException {
        running.forEach(ContestantProcess::kill);
        close();
        generation++;
        firstNumber = nextNumber;
        sinceRestart.clear();
    }

    /** Returns the CPU seconds used so far by the clients, and by the server. */
    double[] cpu() {
        List<Long> clients = running.stream().map(ContestantProcess::pid).toList();
        return new double[] {Cpu.seconds(clients), Cpu.seconds(server.pids())};
    }

    private Map<String, Object> command(String op, int count, Work work, int width) {
        Map<String, Object> command = new LinkedHashMap<>();
        command.put("op", op);
        command.put("first", nextNumber);
        command.put("count", count);
        command.put("bytes", work.bytes());
        command.put("width", width);
        command.put("queues", work.queues());
        return command;
    }

    /** Marks the numbers of this many messages as used, so that later rounds use other numbers. */
    void advance(int count) {
        nextNumber += count;
        if (nextNumber > 900_000_000) {
            nextNumber = 0;
            firstNumber = 0;
        }
    }

    /** Pushes this many messages. */
    RoundResult push(int count, Work work, int width, boolean allocation, Duration limit) throws Exception {
        ContestantProcess process = processes(1).get(0);
        Map<String, Object> command = command("push", count, work, width);
        command.put("allocation", allocation);
        process.prepare(command);
        double[] before = cpu();
        process.go();
        JsonNode answer = process.answer(limit);
        return RoundResult.of(
                        count, answer.path("begin").asLong(), answer.path("end").asLong(), before, cpu())
                .with("allocatedBytes", answer.path("allocatedBytes").asLong());
    }

    /** Takes the messages that were pushed since the last {@link #advance}. */
    RoundResult take(Step step, int count, Work work, int width, boolean allocation, Duration limit) throws Exception {
        ContestantProcess process = processes(1).get(0);
        Map<String, Object> command = command("take", count, work, width);
        command.put("step", step.name());
        command.put("expected", count);
        command.put("allocation", allocation);
        process.prepare(command);
        double[] before = cpu();
        process.go();
        JsonNode answer = last(process, limit);
        double[] after = cpu();
        return RoundResult.of(
                        count, answer.path("begin").asLong(), answer.path("end").asLong(), before, after)
                .with("allocatedBytes", answer.path("allocatedBytes").asLong())
                .checked(checkDelivery(process, command, count, List.of(answer)));
    }

    /** Checks the arrivals. If messages are missing, a further take looks for them. */
    private static DeliveryCheck checkDelivery(
            ContestantProcess process, Map<String, Object> take, int count, List<JsonNode> answers)
            throws IOException, InterruptedException, ContestantProcess.TimeoutException {
        DeliveryCheck found = DeliveryCheck.of(count, answers);
        if (found.lost() == 0) {
            return found;
        }
        take.put("expected", found.lost());
        process.prepare(take);
        process.go();
        List<JsonNode> all = new ArrayList<>(answers);
        all.add(last(process, STOP_LIMIT));
        return found.after(DeliveryCheck.of(count, all));
    }

    /**
     * Takes this many of the messages pushed since the last {@link #restart}; checks only that none is repeated or
     * foreign.
     */
    RoundResult takeFromBacklog(Step step, int count, Work work, Duration limit) throws Exception {
        ContestantProcess process = processes(1).get(0);
        Map<String, Object> command = command("take", nextNumber - firstNumber, work, Driver.BEST);
        command.put("first", firstNumber);
        command.put("step", step.name());
        command.put("expected", count);
        process.prepare(command);
        double[] before = cpu();
        process.go();
        JsonNode answer = last(process, limit);
        sinceRestart.add(answer);
        DeliveryCheck found = DeliveryCheck.of(nextNumber - firstNumber, List.of(answer));
        int got = answer.path("settled").asInt();
        return RoundResult.of(
                        got, answer.path("begin").asLong(), answer.path("end").asLong(), before, cpu())
                .checked(new DeliveryCheck(Math.max(0, count - got), 0, found.repeated(), found.foreign()));
    }

    /**
     * Checks that each message pushed since the last {@link #restart} arrived once in the calls of {@link
     * #takeFromBacklog}.
     */
    DeliveryCheck backlogCheck() {
        return DeliveryCheck.of(nextNumber - firstNumber, sinceRestart);
    }

    /** Returns how many messages pushed since the last {@link #restart} are left in the queue. */
    int backlogLeft() {
        return nextNumber
                - firstNumber
                - sinceRestart.stream()
                        .mapToInt(answer -> answer.path("settled").asInt())
                        .sum();
    }

    /** Returns the answer to a take. After {@code limit} it stops the take, which then answers with what it has. */
    private static JsonNode last(ContestantProcess process, Duration limit)
            throws IOException, InterruptedException, ContestantProcess.TimeoutException {
        try {
            return process.answer(limit);
        } catch (ContestantProcess.TimeoutException late) {
            process.stop();
            return process.answer(STOP_LIMIT);
        }
    }

    /**
     * Runs a flow: one process pushes while others reserve and ack, or pop if the contestant has no reservations.
     *
     * @param rate the messages per second at even gaps; 0 for as fast as possible
     */
    RoundResult flow(int count, Work work, double rate, Duration limit) throws Exception {
        int consumers = work.consumers();
        List<ContestantProcess> all = processes(1 + consumers);
        ContestantProcess producer = all.get(0);
        List<ContestantProcess> takers = all.subList(1, all.size());
        Map<String, Object> take = command("take", count, work, Driver.BEST);
        take.put("step", (contestant.steps().contains(Step.RESERVE_ACK) ? Step.RESERVE_ACK : Step.POP).name());
        take.put("expected", consumers == 1 ? count : -1);
        Map<String, Object> push = command(rate > 0 ? "pace" : "push", count, work, Driver.BEST);
        push.put("rate", rate);
        for (ContestantProcess taker : takers) {
            taker.prepare(take);
        }
        producer.prepare(push);
        double[] before = cpu();
        takers.forEach(ContestantProcess::go);
        producer.go();
        JsonNode pushed = producer.answer(limit);
        if (consumers > 1) {
            long end = CLOCK.nanos() + limit.toNanos();
            while (takers.stream().mapToInt(ContestantProcess::settled).sum() < count && CLOCK.nanos() < end) {
                LockSupport.parkNanos(10_000_000);
            }
            takers.forEach(ContestantProcess::stop);
        }
        List<JsonNode> answers = new ArrayList<>();
        for (ContestantProcess taker : takers) {
            answers.add(last(taker, limit));
        }
        double[] after = cpu();
        long end = answers.stream().mapToLong(a -> a.path("end").asLong()).max().orElseThrow();
        return RoundResult.of(count, pushed.path("begin").asLong(), end, before, after)
                .checked(checkDelivery(takers.get(0), take, count, answers))
                .with("senderLateMicros", pushed.path("lateMicros").asLong())
                .delays(answers);
    }

    @Override
    public void close() throws IOException {
        for (ContestantProcess process : running) {
            process.close();
        }
        running.clear();
    }
}
