package dev.jono.support.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresLocationTest {
    private static PGSimpleDataSource source(String url) {
        return (PGSimpleDataSource) PostgresLocation.dataSource(ConnectionUrl.parse(url));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgres:jdbc:postgresql://db:5433/shop?user=me&password=s%40crt",
                "postgres:postgresql://me:s%40crt@db:5433/shop",
                "postgres://me:s%40crt@db:5433/shop"
            })
    void allFormsNameTheSame(String url) {
        PGSimpleDataSource source = source(url);
        assertThat(source.getServerNames()).containsExactly("db");
        assertThat(source.getPortNumbers()).containsExactly(5433);
        assertThat(source.getDatabaseName()).isEqualTo("shop");
        assertThat(source.getUser()).isEqualTo("me");
        assertThat(source.getPassword()).isEqualTo("s@crt");
    }

    @Test
    void userAndPasswordCanBeInDifferentPlaces() {
        assertThat(source("postgres:postgresql://me@db/shop?password=s%40crt").getPassword())
                .isEqualTo("s@crt");
    }

    @Test
    void severalHostsAndOptionsAreTaken() {
        PGSimpleDataSource source =
                source("postgres:jdbc:postgresql://a,b:1/shop?targetservertype=primary&socketTimeout=5");
        assertThat(source.getServerNames()).containsExactly("a", "b");
        assertThat(source.getPortNumbers()).containsExactly(5432, 1);
        assertThat(source.getTargetServerType()).isEqualTo("primary");
        assertThat(source.getSocketTimeout()).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgres:",
                "postgres:db/shop",
                "postgres:jdbc:mysql://db/shop",
                "postgres:jdbc:postgresql://db",
                "postgres:jdbc:postgresql:shop",
                "postgres:jdbc:postgresql://db/shop?sslMod=require",
                "postgres:postgresql://me:s3cret@/shop",
                "postgres:postgresql://me:s3cret@db/shop?user=other",
                "postgres:postgresql://me:s3cret@db/shop?PASSWORD=other",
                "postgres:postgresql://me:s3cret@db/shop#x"
            })
    void otherUrlsAreRefusedWithoutTheirPassword(String url) {
        assertThatThrownBy(() -> source(url))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageNotContainingAny("s3cret");
    }

    @Test
    void namesOfSchemasArePlain() {
        assertThat(PostgresOptions.schema("queues_1")).isEqualTo("queues_1");
        for (String wrong : new String[] {"", "1", "A", "a b", "a\"b", "pg_x", "a".repeat(49)}) {
            assertThatThrownBy(() -> PostgresOptions.schema(wrong)).isInstanceOf(ConfigurationException.class);
        }
    }
}
