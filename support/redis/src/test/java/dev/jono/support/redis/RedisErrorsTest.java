package dev.jono.support.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.JonoException;
import dev.jono.OutcomeUnknownException;
import dev.jono.QueueClosedException;
import dev.jono.StorageException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandInterruptedException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisErrorsTest {
    private static JonoException push(Throwable failure) {
        return RedisErrors.translate("push", "orders", true, failure);
    }

    @ParameterizedTest
    @CsvSource({
        "OOM command not allowed, consume",
        "READONLY You can't write, primary",
        "WRONGTYPE Operation, something else",
        "NOAUTH Authentication required, password",
        "WRONGPASS invalid, password",
        "NOPERM this user, docs/backends",
        "MISCONF Redis is configured, disk",
        "CLUSTERDOWN The cluster is down, no primary",
        "ERR something new, something new"
    })
    void refusalsHaveAKnownOutcomeAndSayWhatToDo(String reply, String advice) {
        assertThat(push(new RedisCommandExecutionException(reply)))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("push on queue 'orders'")
                .hasMessageContaining(reply)
                .hasMessageContaining(advice)
                .extracting(JonoException::queue)
                .isEqualTo("orders");
    }

    @Test
    void refusalWithoutATextIsARefusal() {
        assertThat(push(new RedisCommandExecutionException((String) null))).isInstanceOf(StorageException.class);
        assertThat(push(new RedisCommandExecutionException(""))).isInstanceOf(StorageException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Currently not connected. Commands are rejected.",
                "Connection is closed",
                "Request queue size exceeded: 5. Commands are not accepted until the queue size drops.",
                "Internal stack size exceeded: 5. Commands are not accepted until the stack size drops.",
                "Command buffer size exceeded: 5"
            })
    void commandThatWasNeverSentIsCertainlyNotDone(String text) {
        if (!text.startsWith("Internal")) {
            assertThat(push(new RedisException(text))).isInstanceOf(StorageException.class);
        }
        assertThat(push(new RedisConnectionException(text))).isInstanceOf(StorageException.class);
    }

    @Test
    void outcomeOfAnUnansweredWriteIsUnknown() {
        Throwable[] lost = {
            new RedisCommandTimeoutException("timed out"),
            new RedisException("Connection disconnected"),
            new RedisException(new java.io.IOException("Connection reset by peer")),
            new RedisCommandInterruptedException(new InterruptedException()),
            new java.util.concurrent.CancellationException(),
            new IllegalStateException("anything")
        };
        for (Throwable failure : lost) {
            assertThat(push(failure)).as("%s", failure).isInstanceOf(OutcomeUnknownException.class);
            assertThat(RedisErrors.translate("counting", "orders", false, failure))
                    .as("%s", failure)
                    .isInstanceOf(StorageException.class);
        }
    }

    @Test
    void wrappersAreRemovedAndOwnExceptionsKept() {
        StorageException ours = new StorageException("ours", "q", null, null);
        assertThat(push(new CompletionException(new ExecutionException(ours)))).isSameAs(ours);
        assertThat(RedisErrors.unwrap(new CompletionException("no cause", null)))
                .isInstanceOf(CompletionException.class);
    }

    @Test
    void closedConnectionIsAKnownOutcome() {
        assertThat(RedisErrors.closed("push", "orders", "redis-oq:redis://h", null))
                .isInstanceOf(QueueClosedException.class)
                .hasMessage("push on queue 'orders' is not done: the connection to redis-oq:redis://h is closed");
    }
}
