package dev.jono.cli;

import dev.jono.EncodedPayload;
import dev.jono.EncodingException;
import dev.jono.JonoClock;
import dev.jono.MessageQueue;
import dev.jono.PartialFailureException;
import dev.jono.PayloadTooLargeException;
import dev.jono.PushOptions;
import dev.jono.PushResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Pushes the payloads of a source in order, with up to four batches in flight. A reader thread reads payloads and sends
 * batches. The caller's thread handles the replies, so that ids are printed as soon as their messages are stored, even
 * while the reader waits for input. A batch is sent when it is full, or when no more input is available without
 * waiting. Invalid payloads are refused, and the others are sent. When the storage fails, no further batch is sent.
 */
final class BatchSender {
    private static final int WINDOW = 4;
    private static final int BATCH_BYTES = 4 << 20;

    private final MessageQueue<EncodedPayload> queue;
    private final PushOptions options;
    private final PayloadSource source;
    private final int batch;
    private final Progress progress;

    private final RefusedLines refusals = new RefusedLines();
    private final Semaphore window = new Semaphore(WINDOW);
    private final BlockingQueue<SentBatch> sent = new LinkedBlockingQueue<>();
    private final ReentrantLock sending = new ReentrantLock();
    private boolean stopped; // guarded by sending

    private long stored;
    private long duplicates;
    /** How many stored messages may have no printed id. */
    private long idsNotPrinted;

    private boolean printingFailed;

    private @Nullable String failure;

    BatchSender(
            MessageQueue<EncodedPayload> queue,
            PushOptions options,
            PayloadSource source,
            int batch,
            Progress progress) {
        this.queue = queue;
        this.options = options;
        this.source = source;
        this.batch = batch;
        this.progress = progress;
    }

    /** Prints the ids of stored messages. It is not called again after a failure. */
    interface Ids {
        void stored(PushResult result) throws IOException;

        void flush() throws IOException;
    }

    /** A batch in flight, or the end of the input, which has no reply. */
    private record SentBatch(
            List<Long> numbers,
            long bytesRead,
            @Nullable CompletableFuture<List<PushResult>> reply,
            @Nullable String end) {}

    /** The result. */
    record Outcome(
            long stored,
            long duplicates,
            long idsNotPrinted,
            double seconds,
            @Nullable String failure,
            boolean interrupted) {}

    /** Pushes all payloads. An interrupt ends it early, after the replies to all sent batches. */
    Outcome run(Ids ids, InterruptSignals signals) {
        JonoClock clock = JonoClock.system();
        long start = clock.nanos();
        Thread reader = new Thread(this::read, "jono-push-reader");
        reader.setDaemon(true);
        reader.start();
        boolean interrupted = false;
        try {
            SentBatch next = sent.take();
            while (next.reply() != null) {
                onReply(next, next.reply(), ids);
                window.release();
                if (failure != null) {
                    drain(ids);
                    break;
                }
                next = sent.take();
            }
            recordFailure(next.end());
        } catch (InterruptedException e) {
            interrupted = true;
            drain(ids);
        }
        String refused = refusals.summary().orElse(null);
        String wrong = failure == null ? refused : refused == null ? failure : failure + "; before that: " + refused;
        return new Outcome(
                stored,
                duplicates,
                idsNotPrinted,
                (clock.nanos() - start) / 1e9,
                wrong,
                interrupted || signals.raised());
    }

    /** Stops sending, and handles the replies to all sent batches. */
    private void drain(Ids ids) {
        sending.lock();
        try {
            stopped = true;
        } finally {
            sending.unlock();
        }
        window.release(WINDOW); // the reader may wait for room, and must see that it is stopped
        for (SentBatch next = sent.poll(); next != null; next = sent.poll()) {
            if (next.reply() != null) {
                onReply(next, next.reply(), ids);
            }
        }
    }

    private void onReply(SentBatch batch, CompletableFuture<List<PushResult>> reply, Ids ids) {
        List<PushResult> results = new ArrayList<>();
        try {
            results.addAll(reply.join());
        } catch (RuntimeException e) {
            onFailedBatch(batch, ErrorLine.unwrapped(e), results);
        }
        long repeated = results.stream().filter(this::isDuplicate).count();
        duplicates += repeated;
        stored += results.size() - repeated;
        idsNotPrinted += results.size() - repeated;
        if (!printingFailed) {
            printIds(results, ids);
        }
        progress.at(stored, batch.bytesRead());
    }

    /**
     * Whether the message was not stored because of its unique key. Without such a key, a storage reports a duplicate if
     * it has stored the message at an earlier attempt of the same push.
     */
    private boolean isDuplicate(PushResult result) {
        return result.duplicate() && options.unique().isPresent();
    }

    private void printIds(List<PushResult> results, Ids ids) {
        try {
            for (PushResult result : results) {
                ids.stored(result);
            }
            ids.flush();
            idsNotPrinted = 0;
        } catch (IOException e) {
            printingFailed = true;
            recordFailure(ErrorLine.of(e));
        }
    }

    /** Adds the messages of a failed batch that were stored. */
    private void onFailedBatch(SentBatch batch, Throwable cause, List<PushResult> results) {
        if (!(cause instanceof PartialFailureException partial)) {
            recordFailure(source.place(batch.numbers().get(0)) + " and the following ones: " + ErrorLine.of(cause));
            return;
        }
        for (int i = 0; i < batch.numbers().size(); i++) {
            PartialFailureException.Result result = partial.results().get(i);
            RuntimeException why = result.failure();
            long number = batch.numbers().get(i);
            if (why == null) {
                String id = String.valueOf(result.id());
                results.add(result.duplicate() ? PushResult.duplicateOf(id) : PushResult.stored(id));
            } else if (why instanceof PayloadTooLargeException || why instanceof EncodingException) {
                refusals.add(number, source.place(number) + ": " + ErrorLine.of(why));
            } else {
                recordFailure(source.place(number) + " and the following ones: " + ErrorLine.of(why));
            }
        }
    }

    private void recordFailure(@Nullable String words) {
        if (failure == null) {
            failure = words;
        }
    }

    // ---- on the reader thread -------------------------------------------------------------------------------

    private void read() {
        long read = 0;
        int bytes = 0;
        List<EncodedPayload> payloads = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        String end = null;
        try {
            boolean open = true;
            while (open && source.advance()) {
                read++;
                try {
                    EncodedPayload payload = source.payload(read);
                    payloads.add(payload);
                    numbers.add(read);
                    bytes += payload.size();
                } catch (CliException refused) {
                    refusals.add(read, ErrorLine.of(refused));
                }
                if (!payloads.isEmpty() && (payloads.size() >= batch || bytes >= BATCH_BYTES || !source.ready())) {
                    open = send(payloads, numbers);
                    payloads = new ArrayList<>();
                    numbers = new ArrayList<>();
                    bytes = 0;
                }
            }
        } catch (IOException | RuntimeException e) {
            end = "the input failed after " + source.place(read) + ": " + ErrorLine.of(e);
        }
        if (!payloads.isEmpty()) {
            send(payloads, numbers);
        }
        sent.add(new SentBatch(List.of(), 0, null, end));
    }

    /** Waits for room, and sends a batch. Returns false if sending has stopped. */
    private boolean send(List<EncodedPayload> payloads, List<Long> numbers) {
        window.acquireUninterruptibly();
        sending.lock();
        try {
            if (stopped) {
                return false;
            }
            CompletableFuture<List<PushResult>> reply;
            try {
                reply = queue.pushAllAsync(payloads, options);
            } catch (RuntimeException e) {
                reply = CompletableFuture.failedFuture(e);
            }
            sent.add(new SentBatch(numbers, source.bytesRead(), reply, null));
            return true;
        } finally {
            sending.unlock();
        }
    }
}
