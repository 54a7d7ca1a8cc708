package dev.jono.benchmarks.compare;

import dev.jono.benchmarks.Spread;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.knowm.xchart.HorizontalBarChart;
import org.knowm.xchart.HorizontalBarChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.w3c.dom.Document;

/** Draws the bar charts of a run as SVG, each for light and for dark pages. */
final class Charts {
    private static final Color OURS = new Color(0x2F81F7);
    private static final Color THEIRS = new Color(0x8B949E);
    private static final int WIDTH = 900;
    private static final int HEAD_AND_FOOT = 150;

    private static final int BAR = 34;

    private Charts() {}

    /**
     * Draws the charts for which there are cells, such as {@code flow-light.svg}.
     *
     * @param base a folder, or the begin of the file names if it ends with a dash
     */
    static void draw(Path base, List<Cell> cells) throws IOException {
        Function<Cell, Optional<Double>> rate = cell -> cell.spread("perSecond").map(Spread::median);
        chart(base, "flow", "Steady flow, messages a second, two processes", cells, "flow-1", rate);
        chart(
                base,
                "reserve-ack",
                "Reserve and ack, messages a second, each at its best",
                cells,
                "best reserve-ack",
                rate);
        chart(base, "jobs", "Jobs enqueued and then run, jobs a second, one process", cells, "jobs", rate);
        chart(
                base,
                "delay",
                "Push to arrival in another process, p99 in ms, at 1,000 messages/s",
                cells,
                "paced-1000",
                cell -> cell.delayMillis(99));
    }

    private static void chart(
            Path base,
            String name,
            String title,
            List<Cell> cells,
            String work,
            Function<Cell, Optional<Double>> figure)
            throws IOException {
        List<Cell> shown = cells.stream()
                .filter(cell -> cell.work.equals(work)
                        && cell.contestant.storage() != Storage.MEMORY
                        && figure.apply(cell).isPresent())
                .toList();
        if (shown.isEmpty()) {
            return;
        }
        for (boolean dark : new boolean[] {false, true}) {
            HorizontalBarChart chart = new HorizontalBarChartBuilder()
                    .width(WIDTH)
                    .height(HEAD_AND_FOOT + BAR * shown.size())
                    .title(title)
                    .build();
            style(chart, dark);
            List<String> labels = shown.stream().map(Charts::label).toList();
            chart.addSeries("Jono", values(shown, figure, true), labels).setFillColor(OURS);
            chart.addSeries("others", values(shown, figure, false), labels).setFillColor(THEIRS);
            String file = name + (dark ? "-dark" : "-light") + ".svg";
            boolean folder = !base.toString().endsWith("-");
            write(chart, folder ? base.resolve(file) : base.resolveSibling(base.getFileName() + file));
        }
    }

    /** Writes SVG with Batik, because the SVG library that XChart uses is not maintained. */
    private static void write(HorizontalBarChart chart, Path file) throws IOException {
        Document document;
        try {
            document = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument(SVGGraphics2D.SVG_NAMESPACE_URI, "svg", null);
        } catch (ParserConfigurationException impossible) {
            throw new IllegalStateException(impossible);
        }
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
        context.setComment(null);
        context.setPrecision(1);
        SVGGraphics2D graphics = new SVGGraphics2D(context, false);
        graphics.setSVGCanvasSize(new Dimension(chart.getWidth(), chart.getHeight()));
        chart.paint(graphics, chart.getWidth(), chart.getHeight());
        try (Writer writer = Files.newBufferedWriter(file)) {
            graphics.stream(writer, true);
        }
    }

    private static String label(Cell cell) {
        return cell.contestant.name() + " · "
                + switch (cell.contestant.storage()) {
                    case REDIS -> "Redis, everysec";
                    case REDIS_ALWAYS -> "Redis, always";
                    case BEANSTALKD_FSYNC -> "fsync";
                    case BEANSTALKD -> "memory";
                    case MONGO -> "MongoDB";
                    case POSTGRES -> "PostgreSQL";
                    case SQLITE -> "SQLite";
                    case RABBITMQ -> "durable";
                    case RABBITMQ_QUORUM -> "one node";
                    case MEMORY -> "memory";
                };
    }

    /** Returns the values of one of the two series; the contestants of the other series have the value 0. */
    private static List<Double> values(List<Cell> cells, Function<Cell, Optional<Double>> figure, boolean ours) {
        return cells.stream()
                .map(cell -> cell.contestant.ours() == ours ? figure.apply(cell).orElse(0.0) : 0.0)
                .toList();
    }

    private static void style(HorizontalBarChart chart, boolean dark) {
        Color paper = dark ? new Color(0x0D1117) : Color.WHITE;
        Color ink = dark ? new Color(0xE6EDF3) : new Color(0x1F2328);
        Color lines = dark ? new Color(0x30363D) : new Color(0xD0D7DE);
        Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
        var styler = chart.getStyler();
        styler.setChartBackgroundColor(paper);
        styler.setPlotBackgroundColor(paper);
        styler.setLegendBackgroundColor(paper);
        styler.setLegendBorderColor(paper);
        styler.setChartFontColor(ink);
        styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15));
        styler.setChartTitleBoxVisible(false);
        styler.setAxisTickLabelsColor(ink);
        styler.setAxisTickLabelsFont(font);
        styler.setLegendFont(font);
        styler.setLegendPosition(LegendPosition.OutsideS);
        styler.setPlotBorderColor(lines);
        styler.setPlotGridLinesColor(lines);
        styler.setPlotGridHorizontalLinesVisible(false);
        styler.setAxisTickMarksColor(lines);
        styler.setXAxisTickLabelsFormattingFunction(value -> String.format(Locale.ROOT, "%,.0f", value));
        styler.setLabelsVisible(false);
        styler.setAvailableSpaceFill(0.9);
        styler.setXAxisTickMarkSpacingHint(12); // also for the labels of the bars: each bar gets one
        styler.setXAxisMin(0.0);
    }
}
