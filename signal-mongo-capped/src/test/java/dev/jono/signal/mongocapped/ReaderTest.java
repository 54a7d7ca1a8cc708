package dev.jono.signal.mongocapped;

import static dev.jono.signal.mongocapped.Signallers.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.jono.spi.Signal;
import dev.jono.spi.Signaller;
import dev.jono.support.mongo.MongoStorage;
import dev.jono.support.mongo.testing.TestDatabases;
import dev.jono.testkit.RecordingListener;
import dev.jono.testkit.server.MongoReplicaSet;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.bson.BsonReader;
import org.bson.RawBsonDocument;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.RawBsonDocumentCodec;
import org.bson.codecs.configuration.CodecRegistries;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The reader of signals when a call fails with an unexpected exception. */
@ResourceLock(Resources.SYSTEM_ERR)
class ReaderTest {
    private final String name = TestDatabases.newName();

    /** Fails while {@code fails} is set. */
    private static final class FailingCodec extends RawBsonDocumentCodec {
        private volatile boolean fails;
        private final AtomicInteger failed = new AtomicInteger();

        @Override
        public RawBsonDocument decode(BsonReader reader, DecoderContext context) {
            if (fails) {
                failed.incrementAndGet();
                throw new UnsupportedOperationException("a failure of the test");
            }
            return super.decode(reader, context);
        }
    }

    @Test
    void unexpectedFailureIsLoggedOnceAndTheReaderContinues() {
        FailingCodec codec = new FailingCodec();
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(MongoReplicaSet.sharedUri("admin")))
                .codecRegistry(CodecRegistries.fromRegistries(
                        CodecRegistries.fromCodecs(codec), MongoClientSettings.getDefaultCodecRegistry()))
                .build();
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try (MongoClient own = MongoClients.create(settings);
                Signaller signaller = Signallers.open(MongoStorage.of(own, name), "NS")) {
            RecordingListener listener = new RecordingListener();
            signaller.subscribe("orders", listener);
            await("the first gap", () -> listener.gaps() > 0);
            for (int outage = 1; outage <= 2; outage++) {
                codec.failed.set(0);
                codec.fails = true;
                publish(signaller, 1);
                await("some failures", () -> codec.failed.get() >= 3);
                int gaps = listener.gaps();
                codec.fails = false;
                await("a gap after the outage", () -> listener.gaps() > gaps);
                int due = 100 + outage;
                publish(signaller, due);
                await("a signal", () -> listener.signals().stream().anyMatch(signal -> signal.dueMillis() == due));
                assertThat(warnings(log)).as("once each").hasSize(outage);
            }
            assertThat(log.toString(StandardCharsets.UTF_8)).contains("a failure of the test");
        } finally {
            System.setErr(before);
            TestDatabases.client().getDatabase(name + "_signal").drop();
        }
    }

    private static void publish(Signaller signaller, long due) {
        signaller.publish(Signal.inserted("orders", due)).toCompletableFuture().join();
    }

    private static Stream<String> warnings(ByteArrayOutputStream log) {
        return log.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("WARN dev.jono.signal"));
    }
}
