package dev.jono.dashboard.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** Files in the jar: scripts, style sheets, the description of the API. */
public final class Resources {
    private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";

    /** From the name in a URL to the file. */
    private static final Map<String, String> FILES = Map.of(
            "dashboard.css", "/dev/jono/dashboard/dashboard.css",
            "dashboard.js", "/dev/jono/dashboard/dashboard.js",
            "icon.svg", "/dev/jono/dashboard/icon.svg",
            "openapi.json", "/dev/jono/dashboard/openapi.json",
            "uplot.css", UPLOT + "uPlot.min.css",
            "uplot.js", UPLOT + "uPlot.esm.js");

    private Resources() {}

    /** A file as an answer, which browsers keep for an hour. */
    public static Answer answer(String name) {
        String file = FILES.get(name);
        if (file == null) {
            throw ProblemException.missing("there is no such page");
        }
        return Answer.of(200, type(name), read(file)).with("Cache-Control", "max-age=3600");
    }

    private static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.'))) {
            case ".css" -> "text/css; charset=utf-8";
            case ".js" -> "text/javascript; charset=utf-8";
            case ".svg" -> "image/svg+xml";
            default -> "application/json";
        };
    }

    private static byte[] read(String file) {
        try (InputStream in = Resources.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing from the class path");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
