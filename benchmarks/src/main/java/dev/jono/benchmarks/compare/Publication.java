package dev.jono.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Replaces the tables in a page of the documentation: the text between two marks. */
final class Publication {
    private static final String BEGIN = "<!-- compare: written by benchmarks/compare -->";
    private static final String END = "<!-- compare: end -->";

    private Publication() {}

    /**
     * Writes the most important tables of a run into a page. A page without marks is not changed.
     *
     * @param page a file in a folder of the source tree's root
     * @param report the report of the whole run
     */
    static void of(Map<String, Object> about, List<Cell> cells, Path page, Path report) throws IOException {
        if (!Files.exists(page)) {
            System.err.println("there is no page " + page);
            return;
        }
        Path root = page.toAbsolutePath().resolve("../..").normalize();
        String path = root.relativize(report.toAbsolutePath().normalize()).toString();
        Files.writeString(page, between(Files.readString(page), Tables.excerpt(about, cells, path)));
    }

    /** Returns the page with this text between the marks. */
    static String between(String page, String text) {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            System.err.println("the page has no marks and is not changed");
            return page;
        }
        return page.substring(0, begin + BEGIN.length()) + "\n\n" + text.strip() + "\n\n" + page.substring(end);
    }
}
