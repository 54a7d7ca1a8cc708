package dev.jono.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.jono.testkit.server.PostgresServer;
import dev.jono.testkit.server.TestSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** The command on PostgreSQL, where only the URL differs. */
class PostgresTest {
    @Test
    void a_message_goes_from_one_process_to_another() throws Exception {
        try (TestSchema schema = TestSchema.in(PostgresServer.sharedUrl())) {
            String url = schema.jonoUrl();
            assertThat(Jono.runChild("push", url, "q", "{\"a\":[]}").code()).isEqualTo(Exit.DONE);
            JsonNode info = Jono.run("info", url, "q").ended(Exit.DONE).one();
            assertThat(info.get("type").textValue()).isEqualTo("postgres");
            assertThat(info.get("size").intValue()).isEqualTo(1);
            JsonNode held = Jono.run("reserve", url, "q", "--then", "hold")
                    .ended(Exit.DONE)
                    .one();
            assertThat(held.get("payload")).isEqualTo(Jono.read("{\"a\":[]}"));
            assertThat(Jono.runChild("settle", url, "q", held.get("receipt").textValue(), "--as", "ack")
                            .code())
                    .isEqualTo(Exit.DONE);
        }
    }

    @Test
    void the_printed_schema_is_the_one_that_is_used() throws Exception {
        try (TestSchema schema = TestSchema.in(PostgresServer.sharedUrl())) {
            String url = schema.jonoUrl() + "&jono.create=false";
            assertThat(Jono.run("push", url, "q", "1").ended(Exit.ERROR).err()).contains("jono schema postgres");
            String script = Jono.run("schema", "postgres", "--schema", schema.name())
                    .ended(Exit.DONE)
                    .out();
            try (Connection connection = DriverManager.getConnection(schema.jdbcUrl());
                    Statement statement = connection.createStatement()) {
                statement.execute(script);
            }
            Jono.run("push", url, "q", "1").ended(Exit.DONE);
        }
    }

    @Test
    void other_backends_have_no_schema() {
        assertThat(Jono.run("schema", "mongo").ended(Exit.USAGE).err()).contains("postgres");
    }
}
