package dev.jono.benchmarks.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** Writes the files of a run: JSON with all rounds, tables as Markdown, and charts. */
final class Report {
    private final Path base;
    private final Callable<Map<String, Object>> about;
    private final Servers servers;
    private final Map<Contestant, String> absent;

    /**
     * A report with these files.
     *
     * @param base the path of the files without their endings
     * @param about returns the machine and the settings
     * @param absent the contestants that are not run, with the reasons
     */
    Report(Path base, Callable<Map<String, Object>> about, Servers servers, Map<Contestant, String> absent) {
        this.base = base;
        this.about = about;
        this.servers = servers;
        this.absent = absent;
    }

    private Path file(String ending) {
        return base.resolveSibling(base.getFileName() + ending);
    }

    Path markdown() {
        return file(".md");
    }

    /** Writes the JSON file and the tables with these cells. */
    void write(List<Cell> cells) {
        try {
            Map<String, Object> all = new LinkedHashMap<>(about.call());
            Map<String, Object> storages = new LinkedHashMap<>();
            for (Map.Entry<Storage, Server> entry : servers.running().entrySet()) {
                storages.put(entry.getKey().name(), storage(entry.getKey(), entry.getValue()));
            }
            all.put("storages", storages);
            all.put("contestants", contestants(cells));
            all.put("cells", cells.stream().map(Cell::json).toList());
            all.put(
                    "demands", // the name in all result files
                    Targets.of(cells).stream().map(Targets.Target::json).toList());
            Compare.json().writeValue(file(".json").toFile(), all);
            Files.writeString(markdown(), Tables.markdown(all, cells, absent));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> storage(Storage storage, Server server) {
        Map<String, Object> about = new LinkedHashMap<>();
        about.put("what", storage.text());
        about.put("version", server.version());
        about.put("settings", server.settings());
        about.put("survivesKill9", storage.survivesKill());
        about.put("survivesPowerLoss", storage.survivesPowerLoss());
        about.put("storedBytesAre", server.bytesAre());
        return about;
    }

    private List<Map<String, Object>> contestants(List<Cell> cells) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Contestant contestant : Contestants.all()) {
            boolean ran = cells.stream().anyMatch(cell -> cell.contestant.equals(contestant));
            if (ran || absent.containsKey(contestant)) {
                Map<String, Object> about = new LinkedHashMap<>();
                about.put("id", contestant.id());
                about.put("name", contestant.name());
                about.put("storage", contestant.storage().name());
                about.put("survivesKill9", contestant.survivesKill());
                about.put("survivesPowerLoss", contestant.survivesPowerLoss());
                about.put("best", contestant.best());
                about.put("comparedTo", contestant.counterpart());
                String why = absent.get(contestant);
                if (why != null) {
                    about.put("notRun", why);
                }
                all.add(about);
            }
        }
        return all;
    }

    /** Draws the charts next to the tables. On a machine without fonts this prints a message and draws none. */
    void charts(List<Cell> cells) {
        draw(base.resolveSibling(base.getFileName() + "-"), cells);
    }

    /** Draws the charts into the folder of the documentation, and writes the tables of its page ({@link Publication}). */
    void publish(Path images, List<Cell> cells) throws Exception {
        Files.createDirectories(images);
        draw(images.resolve(""), cells);
        Publication.of(about.call(), cells, Path.of("docs/performance.md"), markdown());
    }

    private static void draw(Path begin, List<Cell> cells) {
        try {
            Charts.draw(begin, cells);
        } catch (IOException | RuntimeException | LinkageError e) {
            System.err.println("no charts: " + e);
        }
    }
}
