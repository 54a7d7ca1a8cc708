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
 * Pushes what a source gives, in order, a few batches at a time. One thread reads and sends; the caller's takes the
 * replies, so that ids are told as soon as their messages are stored, even while the source is waited for. A batch is
 * sent when it is full or when nothing more can be read at once. What is no payload is refused, and the others go on;
 * when the storage fails, nothing further is sent.
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
    /** Of those stored, how many may not have been told. */
    private long idsNotPrinted;

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

    /** Prints what is stored. After a failure it prints nothing more. */
    interface Ids {
        void stored(PushResult result) throws IOException;

        void flush() throws IOException;
    }

    /** A batch on its way, or the end of all. */
    private record SentBatch(
            List<Long> numbers,
            long bytesRead,
            @Nullable CompletableFuture<List<PushResult>> reply,
            @Nullable String end) {}

    /** What it came to. */
    record Outcome(
            long stored,
            long idsNotPrinted,
            double seconds,
            @Nullable String failure,
            boolean interrupted) {}

    /** Pushes all; an interrupt ends it early, with what was sent stored and told. */
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
        String wrong = failure == null ? refused : refused == null ? failure : failure + "; before that, " + refused;
        return new Outcome(
                stored, idsNotPrinted, (clock.nanos() - start) / 1e9, wrong, interrupted || signals.raised());
    }

    /** Sends nothing more, and takes the replies to what was sent. */
    private void drain(Ids ids) {
        sending.lock();
        try {
            stopped = true;
        } finally {
            sending.unlock();
        }
        window.release(WINDOW); // the reader may wait for room: it is to find that it may go
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
        stored += results.size();
        idsNotPrinted += results.size();
        if (idsNotPrinted == results.size()) { // or what came before it was not told, and nothing more will be
            printIds(results, ids);
        }
        progress.at(stored, batch.bytesRead());
    }

    private void printIds(List<PushResult> results, Ids ids) {
        try {
            for (PushResult result : results) {
                ids.stored(result);
            }
            ids.flush();
            idsNotPrinted = 0;
        } catch (IOException e) {
            recordFailure(ErrorLine.of(e));
        }
    }

    /** Adds what was stored of a batch in spite of a failure. */
    private void onFailedBatch(SentBatch batch, Throwable cause, List<PushResult> results) {
        if (!(cause instanceof PartialFailureException partial)) {
            recordFailure(source.place(batch.numbers().get(0)) + " and what followed it: " + ErrorLine.of(cause));
            return;
        }
        for (int i = 0; i < batch.numbers().size(); i++) {
            PartialFailureException.Result result = partial.results().get(i);
            RuntimeException why = result.failure();
            long number = batch.numbers().get(i);
            if (why == null) {
                results.add(PushResult.stored(String.valueOf(result.id())));
            } else if (why instanceof PayloadTooLargeException || why instanceof EncodingException) {
                refusals.add(number, source.place(number) + ": " + ErrorLine.of(why));
            } else {
                recordFailure(source.place(number) + " and what followed it: " + ErrorLine.of(why));
            }
        }
    }

    private void recordFailure(@Nullable String words) {
        if (failure == null) {
            failure = words;
        }
    }

    // ---- the reader's thread --------------------------------------------------------------------------------

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
            end = "after " + source.place(read) + " the input failed: " + ErrorLine.of(e);
        }
        if (!payloads.isEmpty()) {
            send(payloads, numbers);
        }
        sent.add(new SentBatch(List.of(), 0, null, end));
    }

    /** Sends a batch when there is room for it; false when nothing more is to be sent. */
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
