package dev.jono.e2e.docs;

import dev.jono.e2e.Checkout;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/** A Markdown file of the source tree, as GitHub reads it. */
final class MarkdownPage {
    private static final Parser PARSER = Parser.builder()
            .extensions(List.of(TablesExtension.create()))
            .includeSourceSpans(IncludeSourceSpans.BLOCKS_AND_INLINES)
            .build();

    private static final Pattern HTML_LINK = Pattern.compile("\\b(?:href|src|srcset)=\"([^\"\\s]+)");
    private static final Pattern HTML_ANCHOR = Pattern.compile("\\b(?:id|name)=\"([^\"]+)\"");
    private static final Pattern GIVEN = Pattern.compile("<!-- given:(.*)-->", Pattern.DOTALL);

    /** Of the file, relative to the root of the source tree. */
    final Path path;

    final List<String> lines;
    final Set<String> anchors = new HashSet<>();
    final List<Reference> references = new ArrayList<>();
    final List<JavaBlock> javaBlocks = new ArrayList<>();

    /** Paragraphs and headings, outside tables, code and HTML. */
    final List<Prose> prose = new ArrayList<>();

    /** A link or an image. */
    record Reference(int line, String destination) {}

    /**
     * A fenced block of Java.
     *
     * @param line of its first line of code
     * @param given the content of the comment {@code <!-- given: … -->} before it, or an empty text
     * @param givenLine of the first line of that comment
     */
    record JavaBlock(int line, String code, int givenLine, String given) {}

    /** Consecutive lines of text. */
    record Prose(int line, List<String> lines) {}

    private MarkdownPage(Path path, String text) {
        this.path = path;
        this.lines = text.lines().toList();
        PARSER.parse(text).accept(new Collector());
    }

    /** All pages of the source tree, by their paths. */
    static SortedMap<Path, MarkdownPage> all() throws IOException {
        Path root = Checkout.root();
        SortedMap<Path, MarkdownPage> pages = new TreeMap<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                return name.equals("target") || name.equals(".git")
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (file.toString().endsWith(".md")) {
                    Path path = root.relativize(file);
                    pages.put(path, new MarkdownPage(path, Files.readString(file)));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return pages;
    }

    /** How a message names a line of this page. */
    String at(long line) {
        return path + ":" + line;
    }

    private static int firstLine(Node node) {
        return node.getSourceSpans().get(0).getLineIndex() + 1;
    }

    /** Fills the lists of the page. */
    private final class Collector extends AbstractVisitor {
        /** Gives headings the ids that GitHub gives them: repeated ones get a number. */
        private final IdGenerator ids = IdGenerator.builder().build();

        @Override
        public void visit(Heading heading) {
            StringBuilder title = new StringBuilder();
            heading.accept(new AbstractVisitor() {
                @Override
                public void visit(Text text) {
                    title.append(text.getLiteral());
                }

                @Override
                public void visit(Code code) {
                    title.append(code.getLiteral());
                }
            });
            anchors.add(ids.generateId(title.toString()));
            addProse(heading);
            visitChildren(heading);
        }

        @Override
        public void visit(Paragraph paragraph) {
            addProse(paragraph);
            visitChildren(paragraph);
        }

        private void addProse(Node block) {
            int line = firstLine(block);
            prose.add(new Prose(
                    line,
                    lines.subList(line - 1, line - 1 + block.getSourceSpans().size())));
        }

        @Override
        public void visit(Link link) {
            references.add(new Reference(firstLine(link), link.getDestination()));
            visitChildren(link);
        }

        @Override
        public void visit(Image image) {
            references.add(new Reference(firstLine(image), image.getDestination()));
            visitChildren(image);
        }

        @Override
        public void visit(HtmlBlock html) {
            visitHtml(html, html.getLiteral());
        }

        @Override
        public void visit(HtmlInline html) {
            visitHtml(html, html.getLiteral());
        }

        private void visitHtml(Node node, String html) {
            if (html.startsWith("<!--")) {
                return;
            }
            Matcher link = HTML_LINK.matcher(html);
            while (link.find()) {
                references.add(new Reference(firstLine(node), link.group(1)));
            }
            Matcher anchor = HTML_ANCHOR.matcher(html);
            while (anchor.find()) {
                anchors.add(anchor.group(1));
            }
        }

        @Override
        public void visit(FencedCodeBlock block) {
            if (block.getInfo().equals("java")) {
                int line = firstLine(block) + 1;
                Node before = block.getPrevious();
                Matcher given = GIVEN.matcher(before instanceof HtmlBlock html ? html.getLiteral() : "");
                javaBlocks.add(
                        given.matches()
                                ? new JavaBlock(line, block.getLiteral(), firstLine(before), given.group(1))
                                : new JavaBlock(line, block.getLiteral(), line, ""));
            }
        }
    }
}
