package dev.jono.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The source tree that is being built. */
final class Checkout {
    private Checkout() {}

    /** Its root; tests run in their module's folder. */
    static Path root() {
        Path root = Path.of("").toAbsolutePath().getParent();
        if (root == null || !Files.exists(root.resolve("bom/pom.xml"))) {
            throw new IllegalStateException(
                    "not run in a folder of the source tree: " + Path.of("").toAbsolutePath());
        }
        return root;
    }

    /**
     * A code block of the README: the one behind the comment {@code <!-- snippet: NAME -->}.
     *
     * @throws IllegalStateException if it is not there
     */
    static String snippet(String name) throws IOException {
        Pattern block = Pattern.compile(
                "<!-- snippet: " + Pattern.quote(name) + " -->\\s*```[a-z]*\\n(.*?)^```$",
                Pattern.DOTALL | Pattern.MULTILINE);
        Matcher found = block.matcher(Files.readString(root().resolve("README.md")));
        if (!found.find()) {
            throw new IllegalStateException("README.md has no snippet '" + name + "'");
        }
        return found.group(1);
    }

    /** The version that the parent pom pins a plugin to. */
    static String pluginVersion(String artifact) throws IOException {
        Pattern pinned = Pattern.compile(
                "<artifactId>" + Pattern.quote(artifact) + "</artifactId>\\s*<version>([^<]+)</version>");
        Matcher found = pinned.matcher(Files.readString(root().resolve("pom.xml")));
        if (!found.find()) {
            throw new IllegalStateException("pom.xml pins no version of " + artifact);
        }
        return found.group(1);
    }
}
