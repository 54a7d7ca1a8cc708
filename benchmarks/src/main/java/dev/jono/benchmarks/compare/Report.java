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

/** What a run leaves: JSON with the raw rounds, Markdown, charts. */
final class Report {
    private final Path base;
    private final Callable<Map<String, Object>> about;
    private final Servers servers;
    private final Map<Contestant, String> absent;

    /**
     * A report.
     *
     * @param base of the names of its files, without an ending
     * @param about the machine and the settings
     * @param absent who was not run, and why
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

    /** Writes all that is known so far. */
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
                    "demands",
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
        for (Contestant who : Contestants.all()) {
            boolean ran = cells.stream().anyMatch(cell -> cell.who.equals(who));
            if (ran || absent.containsKey(who)) {
                Map<String, Object> about = new LinkedHashMap<>();
                about.put("id", who.id());
                about.put("name", who.name());
                about.put("storage", who.storage().name());
                about.put("survivesKill9", who.survivesKill());
                about.put("survivesPowerLoss", who.survivesPowerLoss());
                about.put("best", who.best());
                about.put("comparedTo", who.against());
                String why = absent.get(who);
                if (why != null) {
                    about.put("notRun", why);
                }
                all.add(about);
            }
        }
        return all;
    }

    /** Draws the charts beside the table. A machine without fonts draws none, which spoils nothing else. */
    void charts(List<Cell> cells) {
        draw(base.resolveSibling(base.getFileName() + "-"), cells);
    }

    /** Draws them where pages show them, and puts the tables there too: see {@link Publication}. */
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
