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

/** A contestant with its server, its queue and its processes. After trouble it begins anew, with another queue. */
final class Session implements AutoCloseable {
    private static final JonoClock CLOCK = JonoClock.system();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LAST_WORD = Duration.ofSeconds(10);

    final Contestant who;
    private final Server server;
    private final Path peers;
    private final Path installed;
    private final List<ContestantProcess> running = new ArrayList<>();
    private int generation;
    private int next;
    private int oldest;
    private final List<JsonNode> sinceRestart = new ArrayList<>();

    /**
     * Starts nothing yet.
     *
     * @param peers where the programs of the Node libraries lie
     * @param installed where npm has put these libraries, {@code compare-NAME} each
     */
    Session(Contestant who, Server server, Path peers, Path installed) {
        this.who = who;
        this.server = server;
        this.peers = peers;
        this.installed = installed;
    }

    /** The same contestant with another server. */
    Session on(Server other) {
        return new Session(who, other, peers, installed);
    }

    /** The processes, at least so many. */
    List<ContestantProcess> peers(int count) throws IOException, InterruptedException {
        while (running.size() < count) {
            running.add(new ContestantProcess(start()));
        }
        return running.subList(0, count);
    }

    private ChildProcess start() throws IOException {
        Map<String, String> settings = new LinkedHashMap<>(who.settings());
        String queue = "compare" + generation;
        String url = server.url();
        settings.put("queue", queue);
        switch (who.storage()) {
            case SQLITE -> settings.put("file", file());
            case BEANSTALKD, BEANSTALKD_FSYNC -> settings.put("port", url);
            // Whoever shares a server has a database of its own, or its own keys.
            case MONGO -> url = url.replaceFirst("/compare\\b", "/" + who.id().replace('-', '_') + generation);
            default -> {}
        }
        if (who.ours()) {
            String in = who.storage() == Storage.SQLITE ? file() : who.storage() == Storage.MEMORY ? "" : url;
            settings.put("url", who.settings().get("backend") + ":" + in);
            settings.put("queue", "jono-" + queue);
        } else {
            settings.put("url", url);
        }
        if (who.driver().equals("keuss") || who.driver().equals("bullmq")) {
            return new ChildProcess(List.of(
                    "node",
                    peers.resolve(who.driver()).resolve("peer.js").toString(),
                    installed.resolve("compare-" + who.driver()).toString(),
                    JSON.writeValueAsString(settings)));
        }
        return ChildProcess.jvm(
                List.of("-Xmx2g", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"),
                ContestantMain.class,
                who.driver(),
                JSON.writeValueAsString(settings));
    }

    private String file() {
        return Path.of(server.url()).resolve(who.id() + generation + ".db").toString();
    }

    /** Ends all processes; those that come next have another queue. */
    void restart() throws IOException {
        running.forEach(ContestantProcess::kill);
        close();
        generation++;
        oldest = next;
        sinceRestart.clear();
    }

    /** Processor seconds so far: of the clients, of the server. */
    double[] cpu() {
        List<Long> clients = running.stream().map(ContestantProcess::pid).toList();
        return new double[] {Cpu.seconds(clients), Cpu.seconds(server.pids())};
    }

    private Map<String, Object> command(String op, int count, Work work, int width) {
        Map<String, Object> command = new LinkedHashMap<>();
        command.put("op", op);
        command.put("first", next);
        command.put("count", count);
        command.put("bytes", work.bytes());
        command.put("width", width);
        command.put("queues", work.queues());
        return command;
    }

    /** Numbers for so many messages: each is given once. */
    void number(int count) {
        next += count;
        if (next > 900_000_000) {
            next = 0;
            oldest = 0;
        }
    }

    /** Pushes so many, and says how that went. */
    RoundResult push(int count, Work work, int width, boolean allocation, Duration limit) throws Exception {
        ContestantProcess peer = peers(1).get(0);
        Map<String, Object> command = command("push", count, work, width);
        command.put("allocation", allocation);
        peer.prepare(command);
        double[] before = cpu();
        peer.go();
        JsonNode answer = peer.answer(limit);
        return RoundResult.of(
                        count, answer.path("begin").asLong(), answer.path("end").asLong(), before, cpu())
                .with("allocatedBytes", answer.path("allocatedBytes").asLong());
    }

    /** Takes so many that lie there, numbered from the last {@link #number}. */
    RoundResult take(Step step, int count, Work work, int width, boolean allocation, Duration limit) throws Exception {
        ContestantProcess peer = peers(1).get(0);
        Map<String, Object> command = command("take", count, work, width);
        command.put("step", step.name());
        command.put("expected", count);
        command.put("allocation", allocation);
        peer.prepare(command);
        double[] before = cpu();
        peer.go();
        JsonNode answer = last(peer, limit);
        double[] after = cpu();
        return RoundResult.of(
                        count, answer.path("begin").asLong(), answer.path("end").asLong(), before, after)
                .with("allocatedBytes", answer.path("allocatedBytes").asLong())
                .checked(lookAgain(peer, command, count, List.of(answer)));
    }

    /** What came; if something is missing, one process begins a new take, which shows what lies there still. */
    private static DeliveryCheck lookAgain(ContestantProcess peer, Map<String, Object> take, int count, List<JsonNode> answers)
            throws IOException, InterruptedException, ContestantProcess.Late {
        DeliveryCheck found = DeliveryCheck.of(count, answers);
        if (found.missing() == 0) {
            return found;
        }
        take.put("expected", found.missing());
        peer.prepare(take);
        peer.go();
        List<JsonNode> all = new ArrayList<>(answers);
        all.add(last(peer, LAST_WORD));
        return found.after(DeliveryCheck.of(count, all));
    }

    /** Takes so many of all that lie there since the {@link #restart}: none may come twice in a round. */
    RoundResult takeAny(Step step, int count, Work work, Duration limit) throws Exception {
        ContestantProcess peer = peers(1).get(0);
        Map<String, Object> command = command("take", next - oldest, work, Driver.BEST);
        command.put("first", oldest);
        command.put("step", step.name());
        command.put("expected", count);
        peer.prepare(command);
        double[] before = cpu();
        peer.go();
        JsonNode answer = last(peer, limit);
        sinceRestart.add(answer);
        DeliveryCheck found = DeliveryCheck.of(next - oldest, List.of(answer));
        int got = answer.path("settled").asInt();
        return RoundResult.of(got, answer.path("begin").asLong(), answer.path("end").asLong(), before, cpu())
                .checked(new DeliveryCheck(Math.max(0, count - got), 0, found.again(), found.foreign()));
    }

    /** Whether all that was pushed since the {@link #restart} has come, once each, in the calls of {@link #takeAny}. */
    DeliveryCheck whole() {
        return DeliveryCheck.of(next - oldest, sinceRestart);
    }

    /** How many have not come yet. */
    int left() {
        return next
                - oldest
                - sinceRestart.stream()
                        .mapToInt(answer -> answer.path("settled").asInt())
                        .sum();
    }

    /** The answer to a take; who has not got all by then is told to stop, and says what it has. */
    private static JsonNode last(ContestantProcess peer, Duration limit) throws IOException, InterruptedException, ContestantProcess.Late {
        try {
            return peer.answer(limit);
        } catch (ContestantProcess.Late late) {
            peer.stop();
            return peer.answer(LAST_WORD);
        }
    }

    /**
     * One process pushes, others reserve and ack at the same time, or pop where that is all there is.
     *
     * @param rate a second, at even gaps; 0 for as many as go
     */
    RoundResult flow(int count, Work work, double rate, Duration limit) throws Exception {
        int consumers = work.consumers();
        List<ContestantProcess> all = peers(1 + consumers);
        ContestantProcess producer = all.get(0);
        List<ContestantProcess> takers = all.subList(1, all.size());
        Map<String, Object> take = command("take", count, work, Driver.BEST);
        take.put("step", (who.steps().contains(Step.RESERVE_ACK) ? Step.RESERVE_ACK : Step.POP).name());
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
                .checked(lookAgain(takers.get(0), take, count, answers))
                .with("senderLateMicros", pushed.path("lateMicros").asLong())
                .delays(answers);
    }

    @Override
    public void close() throws IOException {
        for (ContestantProcess peer : running) {
            peer.close();
        }
        running.clear();
    }
}
