package dev.jono.cli;

import dev.jono.support.postgres.PostgresOptions;
import dev.jono.support.postgres.PostgresSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "schema",
        sortOptions = false,
        description = "Print the SQL that creates the tables of a backend, for a role that may create them.")
final class SchemaCommand implements Callable<Integer> {
    private static final String POSTGRES = "postgres";

    private final CommonOptions common;

    @Parameters(index = "0", paramLabel = "BACKEND", description = "The backend: postgres.")
    private String backend = "";

    @Option(
            names = "--schema",
            paramLabel = "NAME",
            description = "The schema of the tables, as in jono.schema. Default: ${DEFAULT-VALUE}.",
            defaultValue = PostgresOptions.DEFAULT_SCHEMA)
    private String schema = PostgresOptions.DEFAULT_SCHEMA;

    SchemaCommand(CommonOptions common) {
        this.common = common;
    }

    @Override
    public Integer call() throws IOException {
        if (!backend.equals(POSTGRES)) {
            throw CliException.usage(
                    "'" + backend + "' has no schema to print: the only backend that has one is postgres");
        }
        common.io().out().write(PostgresSchema.script(schema).getBytes(StandardCharsets.UTF_8));
        common.io().out().flush();
        return Exit.DONE;
    }
}
