package dev.jono.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The loop written by hand with which the Redis backends are compared: one connection, a few callers that each wait for
 * their call, and a fixed number of messages per call. For {@code redis-oq}, each step is one script that writes the
 * fields of Jono. The loop sends no signals and counts nothing. Redis remembers a call for its repetition only with the
 * setting {@code remembers}.
 */
public final class LettuceLoop implements QueueClient {
    private static final byte[] INDEX = bytes("keuss:q:ordered_queue:index:loop");
    private static final byte[] HASH = bytes("keuss:q:ordered_queue:hash:loop");
    private static final byte[] CLAIMS = bytes("jono:oq:claims:loop");
    private static final byte[] LIST = bytes("keuss:q:list:loop");
    private static final byte[] LEASE = bytes("30000");
    /** A call for more messages sends several scripts one after the other, as Jono does. */
    private static final int MAX_SCRIPT = 100;

    /** The messages that one pop takes from a list, as in Jono. */
    private static final int MAX_LIST_POP = 500;
    /** The number of calls that Redis remembers. */
    private static final int REMEMBERED = 3;

    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final RedisCommands<byte[], byte[]> redis;
    private final RedisAsyncCommands<byte[], byte[]> pipeline;
    private final ObjectMapper json = new ObjectMapper();
    private final boolean list;
    private final int batch;
    private final boolean remembers;
    private final String push;
    private final String pop;
    private final String claim;
    private final String commit;
    private final int callerCount;
    private final Callers callers = new Callers();
    private final AtomicLong ids = new AtomicLong(1_000_000_000_000L);
    private final AtomicLong calls = new AtomicLong();
    /** One token for all claims; the end of the lease distinguishes them. */
    private final byte[] token = bytes(Long.toString(ids.get()));

    /**
     * Connects to the Redis at a URI.
     *
     * @param list whether the loop does what {@code redis-list} does; otherwise what {@code redis-oq} does
     * @param batch the messages per call
     * @param callers the number of callers
     * @param remembers whether Redis remembers each call for its repetition, as with Jono
     */
    public LettuceLoop(String uri, boolean list, int batch, int callers, boolean remembers) throws IOException {
        this.client = RedisClient.create(uri);
        this.connection = client.connect(ByteArrayCodec.INSTANCE);
        this.redis = connection.sync();
        this.pipeline = connection.async();
        this.list = list;
        this.batch = batch;
        this.callerCount = callers;
        this.remembers = remembers;
        this.push = load(list ? "loop-lpush.lua" : "loop-push.lua");
        this.pop = load(list ? "loop-rpop.lua" : "loop-pop.lua");
        this.claim = load("loop-claim.lua");
        this.commit = load("loop-commit.lua");
    }

    private String load(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(LettuceLoop.class.getResourceAsStream(name))) {
            return redis.scriptLoad(in.readAllBytes());
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String queue() {
        return "loop";
    }

    @Override
    public void run(Step step, NumberedMessages messages) throws Exception {
        AtomicInteger begun = new AtomicInteger();
        callers.sum(callerCount, () -> {
            for (int from = begun.getAndAdd(batch); from < messages.count(); from = begun.getAndAdd(batch)) {
                int most = Math.min(batch, messages.count() - from);
                switch (step) {
                    case PUSH -> push(messages.payloads.subList(from, from + most));
                    case POP -> pop(most).forEach(messages::arrived);
                    case RESERVE_ACK -> reserveAck(most, messages);
                }
            }
            return 0L;
        });
    }

    void push(List<String> payloads) throws Exception {
        List<Future<?>> sent = new ArrayList<>();
        for (int from = 0; from < payloads.size(); from += MAX_SCRIPT) {
            byte[][] args = encoded(payloads.subList(from, Math.min(payloads.size(), from + MAX_SCRIPT)));
            sent.add(
                    list && !remembers
                            ? pipeline.lpush(LIST, args)
                            : pipeline.evalsha(
                                    push, ScriptOutputType.INTEGER, list ? keys(LIST) : keys(INDEX, HASH), args));
        }
        for (Future<?> answer : sent) {
            answer.get();
        }
    }

    private byte[][] encoded(List<String> payloads) throws IOException {
        byte[][] args = new byte[(list ? 1 : 2) * payloads.size()][];
        int at = 0;
        for (String payload : payloads) {
            String text = "\"payload\":" + json.writeValueAsString(payload) + ",\"tries\":0,\"hdrs\":{}";
            if (list) {
                args[at++] = bytes("{" + text + "}");
            } else {
                String id = ids.incrementAndGet() + "-000-00000000-loop"; // as long as Jono's
                args[at++] = bytes(id);
                args[at++] = bytes("{\"_id\":\"" + id + "\"," + text + ",\"mature\":");
            }
        }
        return args;
    }

    /** Returns the keys of a call. A remembered call has two more: its own, and that of an old call to forget. */
    private byte[][] keys(byte[]... names) {
        if (!remembers) {
            return names;
        }
        byte[][] all = Arrays.copyOf(names, names.length + 2);
        long call = calls.incrementAndGet();
        all[names.length] = bytes("jono:call:loop:" + call);
        all[names.length + 1] = bytes("jono:call:loop:" + (call - REMEMBERED));
        return all;
    }

    List<String> pop(int most) throws Exception {
        List<String> payloads = new ArrayList<>(most);
        List<Future<List<byte[]>>> sent = new ArrayList<>();
        int script = list ? MAX_LIST_POP : MAX_SCRIPT;
        for (int left = most; left > 0; left -= script) {
            int count = Math.min(left, script);
            sent.add(
                    list && !remembers
                            ? pipeline.rpop(LIST, count)
                            : pipeline.evalsha(
                                    pop,
                                    ScriptOutputType.MULTI,
                                    list ? keys(LIST) : keys(INDEX, HASH),
                                    bytes(Integer.toString(count))));
        }
        for (Future<List<byte[]>> answer : sent) {
            for (byte[] text : answer.get()) {
                payloads.add(payload(text));
            }
        }
        return payloads;
    }

    /** A message that the loop has claimed. */
    static final class Held {
        final String payload;
        private final byte[] id;
        /** The end of the lease, the same array for all messages of a claim. */
        private final byte[] ends;

        private Held(byte[] id, byte[] ends, String payload) {
            this.id = id;
            this.ends = ends;
            this.payload = payload;
        }
    }

    private void reserveAck(int most, NumberedMessages messages) throws Exception {
        List<Future<Long>> acks = new ArrayList<>();
        for (Future<List<byte[]>> claim : claims(most)) {
            List<Held> found = held(claim.get());
            found.forEach(one -> messages.arrived(one.payload));
            if (!found.isEmpty()) {
                acks.add(acked(found));
            }
        }
        awaitAcks(acks, most);
    }

    List<Held> claim(int most) throws Exception {
        List<Held> all = new ArrayList<>(most);
        for (Future<List<byte[]>> claim : claims(most)) {
            all.addAll(held(claim.get()));
        }
        return all;
    }

    void commit(List<Held> held) throws Exception {
        List<Future<Long>> acks = new ArrayList<>();
        for (int from = 0, to; from < held.size(); from = to) {
            byte[] ends = held.get(from).ends;
            to = from + 1;
            while (to < held.size() && to < from + MAX_SCRIPT && held.get(to).ends == ends) {
                to++;
            }
            acks.add(acked(held.subList(from, to)));
        }
        awaitAcks(acks, held.size());
    }

    private List<Future<List<byte[]>>> claims(int most) {
        List<Future<List<byte[]>>> sent = new ArrayList<>();
        for (int left = most; left > 0; left -= MAX_SCRIPT) {
            sent.add(pipeline.evalsha(
                    claim,
                    ScriptOutputType.MULTI,
                    keys(INDEX, HASH, CLAIMS),
                    bytes(Integer.toString(Math.min(left, MAX_SCRIPT))),
                    LEASE,
                    token));
        }
        return sent;
    }

    private List<Held> held(List<byte[]> answer) throws IOException {
        List<Held> found = new ArrayList<>(answer.size() / 2);
        for (int i = 1; i < answer.size(); i += 2) {
            found.add(new Held(answer.get(i), answer.get(0), payload(answer.get(i + 1))));
        }
        return found;
    }

    private Future<Long> acked(List<Held> held) {
        byte[][] args = new byte[2 + held.size()][];
        args[0] = held.get(0).ends;
        args[1] = token;
        for (int i = 0; i < held.size(); i++) {
            args[2 + i] = held.get(i).id;
        }
        return pipeline.evalsha(commit, ScriptOutputType.INTEGER, new byte[][] {INDEX, HASH, CLAIMS}, args);
    }

    private static void awaitAcks(List<Future<Long>> acks, int most) throws Exception {
        long done = 0;
        for (Future<Long> ack : acks) {
            done += ack.get();
        }
        if (done != most) {
            throw new IllegalStateException("the loop committed " + done + " of " + most);
        }
    }

    private String payload(byte[] text) throws IOException {
        JsonNode message = json.readTree(text);
        return message.get("payload").textValue();
    }

    @Override
    public void close() {
        callers.close();
        connection.close();
        client.shutdown();
    }
}
