package dev.jono.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Replaces tables in a page of the documentation: the text between two marks. Queues and jobs have marks of their own. */
final class Publication {
    private static final String QUEUES = "compare";
    private static final String JOBS = "jobs";

    private Publication() {}

    /**
     * Writes the most important tables of a run into a page. Tables of works that were not run stay. A page without marks is
     * not changed.
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
        String text = Files.readString(page);
        if (cells.stream().anyMatch(cell -> cell.work.startsWith("flow"))) {
            text = between(text, QUEUES, Tables.excerpt(about, cells, path));
        }
        if (cells.stream().anyMatch(cell -> cell.work.equals("jobs"))) {
            text = between(text, JOBS, Tables.jobsExcerpt(about, cells, path));
        }
        Files.writeString(page, text);
    }

    /** Returns the page with this text between the marks of a part. */
    static String between(String page, String part, String text) {
        String beginMark = "<!-- " + part + ": written by benchmarks/compare -->";
        int begin = page.indexOf(beginMark);
        int end = page.indexOf("<!-- " + part + ": end -->");
        if (begin < 0 || end < begin) {
            System.err.println("the page has no marks for '" + part + "', which is not changed");
            return page;
        }
        return page.substring(0, begin + beginMark.length()) + "\n\n" + text.strip() + "\n\n" + page.substring(end);
    }
}
