package dev.jono.e2e.mongo;

import com.mongodb.spi.dns.DnsClient;
import com.mongodb.spi.dns.DnsClientProvider;
import com.mongodb.spi.dns.DnsException;
import com.mongodb.spi.dns.InetAddressResolver;
import com.mongodb.spi.dns.InetAddressResolverProvider;
import java.net.InetAddress;
import java.util.List;

/** The DNS domain {@code jono.test} for the driver: one record, which names a server on this host. */
public final class Names {
    /** The host name in {@code mongodb+srv://}. */
    static final String HOST = "db.jono.test";

    private static final String NODE = "node.jono.test";
    private static volatile int port;

    private Names() {}

    /** The port of the server. */
    static void listens(int at) {
        port = at;
    }

    /** For the driver. */
    public static final class Dns implements DnsClientProvider {
        @Override
        public DnsClient create() {
            return (name, type) -> {
                if (!name.endsWith(HOST)) {
                    throw new DnsException("no " + name + " in the domain of the tests", null);
                }
                return type.equals("SRV") ? List.of("0 0 " + port + " " + NODE + ".") : List.of();
            };
        }
    }

    /** For the driver. */
    public static final class Addresses implements InetAddressResolverProvider {
        @Override
        public InetAddressResolver create() {
            return name -> name.equals(NODE)
                    ? List.of(InetAddress.getLoopbackAddress())
                    : List.of(InetAddress.getAllByName(name));
        }
    }
}
