package dev.jono.support.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import dev.jono.ConfigurationException;
import dev.jono.spi.ConnectionUrl;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver's options in URLs: each is passed on or refused. */
class DriverSettingsTest {
    private static DriverSettings.Target target(String location) {
        ConnectionUrl url = ConnectionUrl.parse("mongo:" + location);
        return DriverSettings.target(url, MongoOptions.parse(url, Set.of()));
    }

    /** Each option of the driver with a value that changes something, and with the options that it needs. */
    private static final String SAMPLES = """
            appName=me
            authMechanism=PLAIN
            authMechanismProperties=SERVICE_REALM:x&authMechanism=GSSAPI
            authSource=users
            compressors=zlib
            connectTimeoutMS=7
            directConnection=false
            enableOverloadRetargeting=true
            gssapiServiceName=x&authMechanism=GSSAPI
            heartbeatFrequencyMS=777
            journal=false
            j=false
            loadBalanced=true
            localThresholdMS=7
            maxAdaptiveRetries=7
            maxConnecting=7
            maxIdleTimeMS=7
            maxLifeTimeMS=7
            maxPoolSize=7
            maxStalenessSeconds=777&readPreference=primary
            minPoolSize=7
            proxyHost=p
            proxyPassword=x&proxyHost=p&proxyUsername=me
            proxyPort=7&proxyHost=p
            proxyUsername=me&proxyHost=p&proxyPassword=x
            readConcernLevel=linearizable
            readPreference=secondary
            readPreferenceTags=a:b&readPreference=primary
            replicaSet=rs0
            retryReads=false
            retryWrites=false
            safe=false
            serverMonitoringMode=poll
            serverSelectionTimeoutMS=7
            socketTimeoutMS=7
            srvAllowedHostsSuffix=x
            srvMaxHosts=7
            srvServiceName=x
            ssl=true
            sslInvalidHostNameAllowed=true
            timeoutMS=7
            tls=true
            tlsAllowInvalidHostnames=true
            tlsInsecure=true
            uuidRepresentation=standard
            w=1
            waitQueueTimeoutMS=7
            wTimeoutMS=7
            wTimeout=7
            zlibCompressionLevel=7&compressors=zlib
            """;

    private static String name(String sample) {
        return sample.split("=", 2)[0].toLowerCase(Locale.ROOT);
    }

    @Test
    void everyOptionOfTheDriverIsPassedOnOrRefusedByName() throws ReflectiveOperationException {
        Set<String> known = new TreeSet<>(ofTheDriver());
        known.addAll(Set.of("j", "wtimeout")); // old names
        Map<String, String> samples = new TreeMap<>();
        SAMPLES.lines().forEach(sample -> samples.put(name(sample), sample));
        assertThat(samples.keySet()).isEqualTo(known);
        Set<String> handled = new TreeSet<>(DriverSettings.PASSED_TO_DRIVER);
        handled.addAll(DriverSettings.SET_BY_JONO.keySet());
        assertThat(handled).as("options that the driver knows").isEqualTo(known);
        samples.forEach((name, sample) ->
                assertThat(passedOrRefused(name, sample)).as(sample).isTrue());
    }

    @SuppressWarnings("unchecked") // a field of the driver's
    private static Collection<String> ofTheDriver() throws ReflectiveOperationException {
        Field keys = ConnectionString.class.getDeclaredField("ALL_KEYS");
        keys.setAccessible(true);
        return (Collection<String>) keys.get(null);
    }

    private static boolean passedOrRefused(String name, String sample) {
        // The driver needs user and password of a proxy together.
        boolean alone = !sample.contains("&") || sample.contains("proxyUsername");
        String others = alone ? "" : sample.substring(sample.indexOf('&') + 1);
        try {
            String user = sample.contains("GSSAPI") ? "me@" : "me:x@";
            return !target("mongodb://" + user + "h/?" + sample)
                    .settings()
                    .equals(target("mongodb://" + user + "h/?" + others).settings());
        } catch (ConfigurationException refused) {
            return String.valueOf(refused.getMessage()).toLowerCase(Locale.ROOT).contains("option " + name);
        }
    }

    @Test
    void optionsThatSayWhatJonoDoesAreAllowed() {
        assertThat(target("mongodb://h/shop?w=majority&journal=true&readPreference=primary&readConcernLevel=local")
                        .database())
                .isEqualTo("shop");
        assertThat(target("mongodb://h/?retryWrites=true&w=majority").database())
                .isEqualTo("keuss");
        assertThat(target("mongodb://h").database()).isEqualTo("keuss");
        assertThat(target("").database()).isEqualTo("keuss");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "mongodb://h/shop.prod | 'prod' for a collection",
                "mongodb://h/shop%2Eprod | 'prod' for a collection",
                "mongodb://h/shop#prod | fragment",
                "mongodb://h/shop/prod | shop/prod",
                "mongodb://h/?colour=red | unknown option colour",
                "mongodb://h/?password=hunter2 | unknown option password",
                "mongodb://h/?waitQueueMultiple=1 | unknown option waitQueueMultiple",
                "mongodb://h/?replicaSet=a&replicaSet=b | replicaSet is given twice",
                "mongodb://h/?authSource=users | option authSource",
                "mongodb://h/?authMechanismProperties=AWS_SESSION_TOKEN:hunter2 | option authMechanismProperties",
                "mongodb://h/?zlibCompressionLevel=7 | option zlibCompressionLevel",
                "mongodb://h/?retryWrites=maybe | option retryWrites is neither true nor false",
                "mongodb://h/?TLS=on | option TLS is neither true nor false",
                "mongodb://h/?maxPoolSize=abc | option maxPoolSize",
                "mongodb://h/?wtimeoutMS=abc | option wtimeoutMS",
                "mongodb://h/?minPoolSize=7&maxPoolSize=3 | maxSize",
                "mongodb://h,i/?directConnection=true | Direct connections",
                "mongodb://h/?ssl=true&tls=false | Conflicting tls and ssl",
                "mongodb://me:x@h/?authMechanismProperties=hunter2 | option authMechanismProperties",
                "mongodb://me:x@h/?proxyPassword=hunter2 | option proxyPassword",
                "mongodb://h:70000/ | port 70000 ",
                "mongodb:// | no host",
                "mongodb:///shop | no host",
                "http://h | mongodb, mongodb+srv"
            })
    void unusedPartsAreRefusedByName(String location, String reason) {
        assertThatThrownBy(() -> target(location))
                .isInstanceOf(ConfigurationException.class)
                .hasNoCause()
                .hasMessageContaining(reason)
                .hasMessageContaining("mongo:mongodb://")
                .hasMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"@", "/", "#", "%", ":", "?", "@/", "?a=b&", "%zz", ":@"})
    void passwordThatIsNotEncodedIsReportedAndNotShown(String special) {
        assertThatThrownBy(() -> target("mongodb://me:hunter" + special + "zwei@h/shop"))
                .isInstanceOf(ConfigurationException.class)
                .hasNoCause()
                .hasMessageContaining("percent-encode it")
                .hasMessageNotContaining("hunter")
                .hasMessageNotContaining("zwei");
    }
}
