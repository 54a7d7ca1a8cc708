package dev.jono.cli;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;

/** Generates the log of a busy shop. The same seed gives the same lines. Not thread-safe. */
final class DemoLog {
    private static final String[] HOSTS = {"web-1", "web-2", "web-3", "api-eu", "api-us", "cart", "billing", "search"};
    private static final String[] PATHS = {
        "/",
        "/login",
        "/cart",
        "/cart/items",
        "/api/v2/orders",
        "/api/v2/orders/%d",
        "/search?q=%s",
        "/img/%d.webp",
        "/healthz",
        "/admin/users/%d/roles",
        "/produkte/%s",
        "/%s/%d",
        "/static/app.%x.js",
        "/export.csv?page=%d"
    };
    private static final String[] WORDS = {
        "teapot", "Fahrrad", "smörgås", "日本茶", "кофе", "jalapeño", "naïve", "Łódź", "λ-calculus", "🚲", "a b", "%20x"
    };
    private static final String[] PEOPLE = {"Zoë", "Łukasz", "O'Brien", "Mária", "李雷", "José", "Anna-Maija", "x\\\"y"};
    private static final String[] AGENTS = {
        "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
        "curl/8.5.0",
        "Googlebot/2.1 (+http://www.google.com/bot.html)",
        "ShopApp/7.2 (iPhone; iOS 19.1)",
        "-"
    };
    private static final String[] CLASSES = {"Orders", "Payments", "Stock", "Mailer", "Sessions", "Tax"};
    private static final String[] FAULTS = {
        "java.net.SocketTimeoutException: Read timed out",
        "java.lang.NullPointerException: Cannot invoke \"Order.total()\" because \"order\" is null",
        "java.sql.SQLTransientConnectionException: pool 'main' - Connection is not available, request timed out",
        "com.shop.StockException: 3 of article 4711 wanted, 2 there"
    };
    private static final int[] STATUSES = {
        200, 200, 200, 200, 200, 204, 301, 304, 400, 401, 403, 404, 404, 429, 500, 503
    };
    private static final String[] LEVELS = {"INFO ", "INFO ", "INFO ", "DEBUG", "WARN ", "ERROR"};
    private static final DateTimeFormatter ACCESS =
            DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter SYSLOG =
            DateTimeFormatter.ofPattern("MMM dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final long FIRST_MILLIS = 1_760_000_000_000L;

    private final Random random;
    private long millis = FIRST_MILLIS;
    private int traceLinesLeft;

    DemoLog(long seed) {
        this.random = new Random(seed);
    }

    /** The next line. */
    String next() {
        millis += random.nextInt(40);
        if (traceLinesLeft > 0) {
            traceLinesLeft--;
            return traceLine();
        }
        int kind = random.nextInt(100);
        if (kind < 55) {
            return access();
        }
        if (kind < 78) {
            return application();
        }
        if (kind < 90) {
            return json();
        }
        if (kind < 95) {
            return syslog();
        }
        if (kind < 97) {
            traceLinesLeft = 3 + random.nextInt(12);
            return pick(FAULTS);
        }
        return kind == 97 ? "" : kind == 98 ? "--" : " ".repeat(random.nextInt(5)) + pick(WORDS);
    }

    private String pick(String[] some) {
        return some[random.nextInt(some.length)];
    }

    private Instant time() {
        return Instant.ofEpochMilli(millis);
    }

    private String path() {
        String form = pick(PATHS);
        StringBuilder path = new StringBuilder();
        int from = 0;
        for (int at = form.indexOf('%'); at >= 0; at = form.indexOf('%', from)) {
            path.append(form, from, at);
            switch (form.charAt(at + 1)) {
                case 'd' -> path.append(random.nextInt(1_000_000));
                case 'x' -> path.append(Integer.toHexString(random.nextInt()));
                default -> path.append(pick(WORDS));
            }
            from = at + 2;
        }
        return path.append(form, from, form.length()).toString();
    }

    private String access() {
        String address = random.nextInt(20) == 0
                ? "2001:db8::" + Integer.toHexString(random.nextInt(65_536))
                : "203.0." + random.nextInt(114) + "." + random.nextInt(256);
        String method = random.nextInt(5) == 0 ? "POST" : "GET";
        int status = STATUSES[random.nextInt(STATUSES.length)];
        return address + " - " + (random.nextInt(3) == 0 ? "user" + random.nextInt(5_000) : "-") + " ["
                + ACCESS.format(time()) + "] \"" + method + " " + path() + " HTTP/1.1\" " + status + " "
                + random.nextInt(200_000) + " \"-\" \"" + pick(AGENTS) + "\" " + random.nextInt(3_000) + "ms";
    }

    private String application() {
        return time() + " " + pick(LEVELS) + " [" + pick(HOSTS) + "-exec-" + random.nextInt(32) + "] com.shop."
                + pick(CLASSES) + " - order " + random.nextInt(10_000_000) + " of " + pick(PEOPLE) + ": "
                + (random.nextBoolean() ? "shipped in " : "waits for ") + random.nextInt(900) + " ms, total "
                + random.nextInt(1_000) + "." + (10 + random.nextInt(90)) + " €";
    }

    private String json() {
        return "{\"ts\":\"" + time() + "\",\"level\":\"" + pick(LEVELS).strip().toLowerCase(Locale.ROOT)
                + "\",\"host\":\"" + pick(HOSTS) + "\",\"msg\":\"" + pick(WORDS) + " for " + pick(PEOPLE)
                + "\",\"user\":{\"id\":" + random.nextLong() + ",\"tags\":[" + (random.nextBoolean() ? "" : "[]")
                + "]},\"took\":" + random.nextInt(100) + "." + random.nextInt(1_000) + "}";
    }

    private String syslog() {
        return SYSLOG.format(time()) + " " + pick(HOSTS) + " sshd[" + random.nextInt(32_768)
                + "]: Failed password for invalid user " + pick(PEOPLE) + " from 198.51.100." + random.nextInt(256)
                + " port " + (1_024 + random.nextInt(60_000)) + " ssh2";
    }

    private String traceLine() {
        return "\tat com.shop." + pick(CLASSES).toLowerCase(Locale.ROOT) + "." + pick(CLASSES) + ".lambda$"
                + random.nextInt(9) + "(" + pick(CLASSES) + ".java:" + random.nextInt(900) + ")";
    }
}
