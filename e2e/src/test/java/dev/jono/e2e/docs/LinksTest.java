package dev.jono.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.e2e.Checkout;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every relative link of every Markdown file leads to a file of the source tree, and every anchor to a heading. */
class LinksTest {
    private static final Pattern ABSOLUTE = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:.*");

    @Test
    void relativeLinksLeadSomewhere() throws IOException {
        Map<Path, MarkdownPage> pages = MarkdownPage.all();
        List<String> broken = new ArrayList<>();
        int checked = 0;
        for (MarkdownPage page : pages.values()) {
            for (MarkdownPage.Reference reference : page.references) {
                if (ABSOLUTE.matcher(reference.destination()).matches()) {
                    continue;
                }
                checked++;
                problem(pages, page, URI.create(reference.destination()))
                        .ifPresent(problem ->
                                broken.add(page.at(reference.line()) + ": " + reference.destination() + " " + problem));
            }
        }
        assertThat(broken).isEmpty();
        assertThat(checked).as("links found").isGreaterThan(100);
    }

    private static Optional<String> problem(Map<Path, MarkdownPage> pages, MarkdownPage page, URI link) {
        Path target = page.path;
        if (!link.getPath().isEmpty()) {
            target = page.path.resolveSibling(link.getPath()).normalize();
            if (target.isAbsolute()
                    || target.startsWith("..")
                    || !Files.exists(Checkout.root().resolve(target))) {
                return Optional.of("is not in the source tree");
            }
        }
        if (link.getFragment() == null) {
            return Optional.empty();
        }
        MarkdownPage targetPage = pages.get(target);
        if (targetPage == null) {
            return Optional.of("has an anchor, but does not lead to a Markdown file");
        }
        return targetPage.anchors.contains(link.getFragment()) ? Optional.empty() : Optional.of("leads to no heading");
    }
}
