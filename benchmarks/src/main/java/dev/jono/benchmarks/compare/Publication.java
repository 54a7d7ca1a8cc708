package dev.jono.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The part of a page that a run writes: between two marks, which stay. */
final class Publication {
    private static final String BEGIN = "<!-- compare: written by benchmarks/compare -->";
    private static final String END = "<!-- compare: end -->";

    private Publication() {}

    /**
     * Puts the tables that matter most into a page. A page without the marks stays as it is.
     *
     * @param page in a folder of the source tree's root
     * @param report of the whole run
     */
    static void of(Map<String, Object> about, List<Cell> cells, Path page, Path report) throws IOException {
        if (!Files.exists(page)) {
            System.err.println("no page " + page);
            return;
        }
        Path root = page.toAbsolutePath().resolve("../..").normalize();
        String path = root.relativize(report.toAbsolutePath().normalize()).toString();
        Files.writeString(page, between(Files.readString(page), Tables.excerpt(about, cells, path)));
    }

    /** The page with other text between the marks. */
    static String between(String page, String text) {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            System.err.println("no marks in the page: it stays as it is");
            return page;
        }
        return page.substring(0, begin + BEGIN.length()) + "\n\n" + text.strip() + "\n\n" + page.substring(end);
    }
}
