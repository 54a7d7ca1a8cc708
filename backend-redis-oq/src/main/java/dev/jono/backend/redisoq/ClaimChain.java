package dev.jono.backend.redisoq;

import static dev.jono.support.redis.Replies.number;

import dev.jono.spi.ClaimRequest;
import dev.jono.spi.ClaimResult;
import dev.jono.spi.StoredMessage;
import dev.jono.support.redis.CallTokens;
import dev.jono.support.redis.ScriptChain;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sends the takes of one queue, or its claims, each as a chain of up to three scripts. The engine keeps one call of each kind
 * in flight and repeats only the latest one. Results are read on the connection's thread.
 */
final class ClaimChain {
    private final String operation;
    private final QueueKeys keys;
    private final ScriptChain chain;
    /** Few: Redis remembers the result of a take with its payloads. */
    private final CallTokens tokens = new CallTokens(3);

    /** Whether the latest call returned less than it asked for. Then a second script would find hardly anything. */
    private volatile boolean scarce;

    /**
     * A chain for one kind of call.
     *
     * @param operation for exception messages
     */
    ClaimChain(String operation, String queue, QueueKeys keys) {
        this.operation = operation;
        this.keys = keys;
        this.chain = new ScriptChain(queue, Limits.MAX_SCRIPT);
    }

    /** One script of a call. */
    static final class Step {
        /** How many messages it may return. */
        final int max;

        /** Its own token. */
        final String token;

        /** Whether the call is repeated. */
        final boolean repeated;

        private final byte[] key;
        private final byte[] previousKey;

        /**
         * A script.
         *
         * @param key under which Redis remembers its result
         * @param previousKey that of the script before; the first script's own key
         */
        private Step(int max, String token, boolean repeated, byte[] key, byte[] previousKey) {
            this.max = max;
            this.token = token;
            this.repeated = repeated;
            this.key = key;
            this.previousKey = previousKey;
        }
    }

    /** The tokens of the calls that Redis remembers. */
    CallTokens tokens() {
        return tokens;
    }

    /** The keys for a script. */
    byte[][] keys(Step step) {
        return tokens.withObsolete(keys.all(step.key, step.previousKey));
    }

    /** Runs a call. Fails as {@link ScriptChain#combine} does. */
    CompletionStage<ClaimResult> run(ClaimRequest request, Function<Step, CompletionStage<ClaimResult>> script) {
        CallTokens.Call call = tokens.begin(request.token());
        // A repetition asks for no less than the first attempt: Redis may have done all of that.
        boolean oneScript = scarce && !call.repeated();
        int max = Math.min(request.max(), oneScript ? Limits.MAX_SCRIPT : Limits.MAX_BATCH);
        return call.track(chain.claim(
                        operation,
                        max,
                        request.token(),
                        (most, token, previous) -> send(script, call, most, token, previous)))
                .thenApply(parts -> {
                    ClaimResult all = merged(parts);
                    scarce = all.size() < max;
                    return all;
                });
    }

    private CompletionStage<ClaimResult> send(
            Function<Step, CompletionStage<ClaimResult>> script,
            CallTokens.Call call,
            int max,
            String token,
            String previous) {
        byte[] key = keys.call(token);
        byte[] previousKey = previous.equals(token) ? key : keys.call(previous);
        return script.apply(new Step(max, token, call.repeated(), key, previousKey))
                .thenApply(result -> {
                    if (result.size() > 0) { // an empty result is not remembered
                        call.answered(key);
                    }
                    return result;
                });
    }

    private static ClaimResult merged(List<ClaimResult> parts) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        ClaimResult last = parts.get(parts.size() - 1);
        int size = parts.stream().mapToInt(ClaimResult::size).sum();
        return ClaimResult.builder()
                .messages(size, () -> {
                    List<StoredMessage> messages = new ArrayList<>(size);
                    parts.forEach(part -> messages.addAll(part.messages()));
                    return messages;
                })
                .nextMillis(last.nextMillis())
                .storageMillis(last.storageMillis())
                .build();
    }

    /**
     * The result of a script. Its messages are decoded when they are asked for.
     *
     * @param answer the server's time, the time until the next message is due, and values of the script's own; then the
     *     messages: each is a text, or an empty text that further values follow
     * @param from the index of the first message
     * @param longLength how many values a message has that begins with an empty text
     * @param reader decodes the messages
     */
    static ClaimResult result(List<Object> answer, int from, int longLength, Supplier<List<StoredMessage>> reader) {
        int size = 0;
        for (int i = from; i < answer.size(); i++) {
            size++;
            if (((byte[]) answer.get(i)).length == 0) {
                i += longLength - 1;
            }
        }
        long next = number(answer.get(1));
        return ClaimResult.builder()
                .messages(size, reader)
                .nextMillis(next < 0 ? ClaimResult.NONE : next)
                .storageMillis(number(answer.get(0)))
                .build();
    }
}
