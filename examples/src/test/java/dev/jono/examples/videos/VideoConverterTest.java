package dev.jono.examples.videos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.jono.Backoff;
import dev.jono.jobs.JobHandle;
import dev.jono.jobs.JobNotSucceededException;
import dev.jono.jobs.JobState;
import dev.jono.jobs.JobView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VideoConverterTest {
    private static final Video BEACH = new Video("beach.mov", List.of("mp4", "webm"));
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    private String storage() {
        return "sqlite:" + directory.resolve("videos.db");
    }

    private VideoConverter converter() {
        VideoConverter converter = new VideoConverter(storage(), Backoff.fixed(Duration.ofMillis(50)));
        opened.add(0, converter);
        return converter;
    }

    private static String encode(String file, String format) {
        return file + '.' + format;
    }

    private static JobView view(JobHandle<?> job) {
        return job.view().orElseThrow();
    }

    @Test
    void progressLogAndResultAreSeenInAnotherProcess() throws Exception {
        CountDownLatch seen = new CountDownLatch(1);
        converter().start(1, (file, format) -> {
            if (format.equals("webm")) {
                seen.await();
            }
            return encode(file, format);
        });
        VideoConverter other = converter();
        JobHandle<Converted> job = other.submit(BEACH, false);
        await().atMost(SOON)
                .until(() -> other.find(job.id()).orElseThrow().progress().stream()
                        .anyMatch(progress -> progress.percent() == 50));
        await().atMost(SOON).until(() -> other.log(job.id()).contains("mp4 is done"));
        seen.countDown();
        assertThat(job.await(SOON)).isEqualTo(new Converted(List.of("beach.mov.mp4", "beach.mov.webm")));
        assertThat(view(job).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(other.log(job.id())).containsExactly("mp4 is done", "webm is done");
    }

    @Test
    void paidVideosComeFirst() throws Exception {
        VideoConverter converter = converter();
        List<JobHandle<Converted>> jobs = new ArrayList<>();
        for (String file : List.of("free1", "free2", "paid")) {
            jobs.add(converter.submit(new Video(file, List.of("mp4")), file.equals("paid")));
        }
        List<String> order = new CopyOnWriteArrayList<>();
        converter.start(1, (file, format) -> {
            order.add(file);
            return encode(file, format);
        });
        for (JobHandle<Converted> job : jobs) {
            job.await(SOON);
        }
        assertThat(order).containsExactlyInAnyOrder("free1", "free2", "paid");
        assertThat(order.indexOf("paid")).isLessThan(order.indexOf("free2"));
    }

    @Test
    void failureIsRetriedAndNoVideoFailsAtOnce() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        AtomicBoolean repaired = new AtomicBoolean();
        VideoConverter converter = converter();
        converter.start(2, (file, format) -> {
            if (file.equals("text.mov") && !repaired.get()) {
                throw new Encoder.UnreadableVideoException("text.mov is no video");
            }
            if (file.equals("beach.mov") && attempts.incrementAndGet() < 3) {
                throw new IllegalStateException("the disk is full");
            }
            return encode(file, format);
        });
        JobHandle<Converted> beach = converter.submit(BEACH, false);
        JobHandle<Converted> text = converter.submit(new Video("text.mov", List.of("mp4")), false);
        assertThat(beach.await(SOON)).isNotNull();
        assertThat(view(beach).attempts()).hasSize(3);
        assertThatThrownBy(() -> text.await(SOON))
                .isInstanceOf(JobNotSucceededException.class)
                .hasMessageContaining("text.mov is no video");
        assertThat(view(text).attempts()).hasSize(1);
        repaired.set(true);
        await().atMost(SOON).until(() -> converter.retryFailed() == 1);
        assertThat(text.await(SOON)).isEqualTo(new Converted(List.of("text.mov.mp4")));
    }

    @Test
    void cancelledConversionIsInterrupted() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        converter().start(1, (file, format) -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
            return encode(file, format);
        });
        VideoConverter other = converter();
        JobHandle<Converted> job = other.submit(BEACH, true);
        begun.await();
        assertThat(other.cancel(job.id())).isTrue();
        interrupted.await();
        assertThat(view(job).state()).isEqualTo(JobState.CANCELLED);
        assertThat(view(job).reason()).contains("cancelled by the customer");
        assertThat(other.cancel(job.id())).isFalse();
    }

    @Test
    void commandSubmitsAVideo() throws Exception {
        VideoConverter.main(new String[] {storage(), "convert", "beach.mov", "mp4", "webm"});
        List<String> files = new CopyOnWriteArrayList<>();
        converter().start(1, (file, format) -> {
            files.add(encode(file, format));
            return encode(file, format);
        });
        await().atMost(SOON).until(() -> files.size() == 2);
        assertThatThrownBy(() -> VideoConverter.main(new String[] {storage(), "show"}))
                .hasMessageContaining("expected");
    }
}
