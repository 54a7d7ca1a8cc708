package dev.jono.dashboard.internal.http;

import java.net.URI;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What protects the users of the pages: requests that change something are refused if another site has sent them, and the headers of
 * each answer forbid scripts, frames and styles from elsewhere.
 */
public final class Guard {
    /** On each answer. */
    public static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self';"
                    + " base-uri 'none'; frame-ancestors 'none'",
            "X-Frame-Options",
            "DENY",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "same-origin",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Cache-Control",
            "no-store");

    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private Guard() {}

    /**
     * Refuses a change that another site has caused. Browsers send {@code Sec-Fetch-Site}, older ones {@code Origin}; other clients
     * send neither. (Source: OWASP, Cross-Site Request Forgery Prevention, "Fetch Metadata headers".)
     */
    public static void requireSameSite(Request request) {
        if (!request.method().equals("GET")) {
            requireOwnSite(request);
        }
    }

    /** Refuses a request that another site has caused, also one with the method {@code GET}. */
    public static void requireOwnSite(Request request) {
        String site = request.header("Sec-Fetch-Site");
        boolean own = site == null ? isOwnOrigin(request) : OWN_SITES.contains(site);
        if (!own) {
            throw new ProblemException(403, "the request comes from another site");
        }
    }

    private static boolean isOwnOrigin(Request request) {
        String origin = request.header("Origin");
        if (origin == null) {
            return true;
        }
        String authority = authority(origin);
        return authority != null
                && (authority.equals(request.header("Host")) || authority.equals(request.header("X-Forwarded-Host")));
    }

    private static @Nullable String authority(String origin) {
        try {
            return URI.create(origin).getRawAuthority();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
