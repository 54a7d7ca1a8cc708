package dev.jono.benchmarks;

import dev.jono.dashboard.Dashboard;
import dev.jono.dashboard.Exchange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A GET of a page of the dashboard, without a server. */
final class MemoryExchange implements Exchange {
    private final String path;
    private final @Nullable String query;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;

    MemoryExchange(String url) {
        int question = url.indexOf('?');
        this.path = question < 0 ? url : url.substring(0, question);
        this.query = question < 0 ? null : url.substring(question + 1);
    }

    /** Sends the request, and returns the status of the answer. */
    int answeredBy(Dashboard dashboard) throws IOException {
        dashboard.handle(this);
        return status;
    }

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String mount() {
        return "";
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public @Nullable String query() {
        return query;
    }

    @Override
    public @Nullable String header(String name) {
        return null;
    }

    @Override
    public @Nullable String user() {
        return null;
    }

    @Override
    public String client() {
        return "memory";
    }

    @Override
    public InputStream body() {
        return new ByteArrayInputStream(new byte[0]);
    }

    @Override
    public OutputStream answer(int code, Map<String, String> headers, long length) {
        status = code;
        return body;
    }
}
