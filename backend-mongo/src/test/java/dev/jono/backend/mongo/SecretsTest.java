package dev.jono.backend.mongo;

import static dev.jono.testkit.Secrets.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import dev.jono.testkit.Secrets;
import dev.jono.testkit.server.MongoUsers;
import dev.jono.testkit.server.TcpProxy;
import java.lang.reflect.Field;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Passwords, and values of options that may be secrets, are never printed, whatever fails. */
@Tag("fault")
class SecretsTest {
    @RegisterExtension
    static final MongoUsers USERS = MongoUsers.start();

    /** Options whose values are no secrets; the driver prints most of them. */
    private static final Set<String> NOT_SECRET = Set.of(
            "appname",
            "authmechanism",
            "authsource",
            "compressors",
            "proxyhost",
            "readconcernlevel",
            "readpreference",
            "replicaset",
            "servermonitoringmode",
            "srvservicename",
            "uuidrepresentation",
            "w");

    /** Options that have a meaning only together with another. */
    private static final List<String> COMBINATIONS = List.of(
            "authMechanism=MONGODB-AWS&authMechanismProperties=AWS_SESSION_TOKEN:" + SECRET,
            "authMechanism=GSSAPI&gssapiServiceName=" + SECRET,
            "authMechanism=GSSAPI&authMechanismProperties=SERVICE_NAME:" + SECRET,
            "authMechanism=PLAIN&authMechanismProperties=a:" + SECRET,
            "authMechanism=MONGODB-OIDC&authMechanismProperties=ENVIRONMENT:azure,TOKEN_RESOURCE:" + SECRET,
            "proxyHost=127.0.0.1&proxyPort=1&proxyUsername=me&proxyPassword=" + SECRET,
            "proxyHost=127.0.0.1&proxyPort=" + SECRET,
            "compressors=zlib&zlibCompressionLevel=" + SECRET,
            "compressors=zlib," + SECRET + "!",
            "readPreference=primary&readPreferenceTags=a:" + SECRET);

    private static List<String> wrong() {
        List<String> urls = new ArrayList<>(List.of(
                "mongodb://me:" + SECRET,
                "mongodb://me:" + SECRET + "@",
                "mongodb://me:" + SECRET + "@h:70000",
                "mongodb://me:" + SECRET + "@h/shop.prod",
                "mongodb://me:" + SECRET + "@h/shop#prod",
                "mongodb://me:" + SECRET + "@h,i/?directConnection=true",
                "mongodb://me:" + SECRET + "@h/?minPoolSize=7&maxPoolSize=3",
                "mongodb://me:" + SECRET + "@h/?authMechanism=MONGODB-X509",
                "mongodb://:" + SECRET + "@h",
                "http://me:" + SECRET + "@h",
                "me:" + SECRET + "@h",
                "mongodb+srv://me:" + SECRET + "@nowhere.invalid/shop?jono.timeout=1s"));
        for (String special : List.of("@", "/", "#", "%", ":", "?", "?a=", "?w=1&b=")) {
            urls.add("mongodb://me:p" + special + SECRET + "@h/shop");
        }
        return urls;
    }

    @SuppressWarnings("unchecked") // a field of the driver's
    private static Collection<String> options() throws ReflectiveOperationException {
        Field keys = ConnectionString.class.getDeclaredField("ALL_KEYS");
        keys.setAccessible(true);
        return (Collection<String>) keys.get(null);
    }

    private static void cutOff(TcpProxy proxy) {
        proxy.refuse();
        proxy.cutAll();
    }

    @Test
    void wrongUrlIsReportedWithoutThePassword() {
        try (Secrets secrets = new Secrets()) {
            for (String wrong : wrong()) {
                assertThat(secrets.works("mongo:" + wrong)).as(wrong).isFalse();
            }
            secrets.assertUnseen();
        }
    }

    @Test
    void optionValuesAreNotPrintedIfTheyAreWrongOrTheServerIsDown() throws Exception {
        try (Secrets secrets = new Secrets()) {
            List<String> queries = new ArrayList<>(COMBINATIONS);
            for (String option : options()) {
                if (!NOT_SECRET.contains(option)) {
                    queries.add(option + "=" + SECRET);
                }
            }
            for (String user : List.of("", "me@", "me:" + SECRET + "@")) {
                for (String query : queries) {
                    assertThat(secrets.works("mongo:mongodb://" + user + "127.0.0.1:1/?jono.timeout=50ms&" + query))
                            .as(query)
                            .isFalse();
                }
            }
            secrets.assertUnseen();
        }
    }

    @Test
    void passwordIsNotPrintedIfTheServerRefusesOrIsCutOff() {
        String uri = USERS.uri("jono_test_secrets");
        URI server = URI.create(uri.replaceAll(",[^/]*", ""));
        try (Secrets secrets = new Secrets();
                TcpProxy proxy = TcpProxy.to(server.getHost(), server.getPort())) {
            String admin = uri.replaceAll("//[^@]*@", "//" + "me:" + SECRET + "@");
            assertThat(secrets.works("mongo:" + admin + "&jono.timeout=2s")).isFalse();
            assertThat(secrets.works("mongo:" + admin + "&jono.timeout=2s&authMechanism=PLAIN"))
                    .isFalse();
            String open = "mongo:" + uri + "&appName=me";
            assertThat(secrets.works(open)).isTrue();
            String through = "mongo:mongodb://" + server.getUserInfo() + "@127.0.0.1:" + proxy.port()
                    + "/jono_test_secrets?directConnection=true&authSource=admin&jono.timeout=1s";
            assertThat(secrets.works(through, () -> cutOff(proxy)))
                    .as("cut off")
                    .isFalse();
            secrets.assertUnseen(server.getUserInfo().split(":", 2)[1]);
        }
    }
}
