package dev.jono.dashboard.internal.http;

import dev.jono.JonoException;

/** A request that is not served: the status, and a sentence for the caller. Shown as a page or as {@code application/problem+json}. */
public final class ProblemException extends JonoException {
    private static final long serialVersionUID = 1L;

    private final int status;

    public ProblemException(int status, String detail) {
        super(detail, null, null, null);
        this.status = status;
    }

    /** 400: the request is wrong. */
    public static ProblemException bad(String detail) {
        return new ProblemException(400, detail);
    }

    /** 404: there is no such thing. */
    public static ProblemException missing(String detail) {
        return new ProblemException(404, detail);
    }

    /** 409: the state of the thing does not allow it. */
    public static ProblemException conflict(String detail) {
        return new ProblemException(409, detail);
    }

    /** The status code. */
    public int status() {
        return status;
    }

    /** The sentence. */
    public String detail() {
        return String.valueOf(getMessage());
    }

    /** The short name of a status code. */
    public static String title(int status) {
        return switch (status) {
            case 400 -> "Bad request";
            case 403 -> "Not allowed";
            case 404 -> "Not found";
            case 405 -> "Method not allowed";
            case 409 -> "Conflict";
            case 413 -> "Too large";
            case 415 -> "Unsupported media type";
            case 501 -> "Not supported";
            case 503 -> "Storage not available";
            default -> "Error";
        };
    }
}
