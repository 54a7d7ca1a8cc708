package dev.jono.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The source tree that is being built. */
public final class Checkout {
    /** The version that is being built. */
    static final String VERSION = System.getProperty("jono.version", "");

    private Checkout() {}

    /** Its root; tests run in their module's folder. */
    public static Path root() {
        Path root = Path.of("").toAbsolutePath().getParent();
        if (root == null || !Files.exists(root.resolve("bom/pom.xml"))) {
            throw new IllegalStateException(
                    "not run in a folder of the source tree: " + Path.of("").toAbsolutePath());
        }
        return root;
    }

    /**
     * A code block of the README: the one after the comment {@code <!-- snippet: NAME -->}.
     *
     * @throws IllegalStateException if there is none
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

    /** The folders of the modules that are published as jars. */
    static List<String> publishedModules() throws IOException {
        String pom = Files.readString(root().resolve("pom.xml"));
        int end = pom.indexOf("<!-- Not published.");
        if (end < 0) {
            throw new IllegalStateException("pom.xml does not say which modules are not published");
        }
        return Pattern.compile("<module>([^<]+)</module>")
                .matcher(pom.substring(0, end))
                .results()
                .map(module -> module.group(1))
                .filter(module -> !module.equals("bom"))
                .toList();
    }

    /** The artifact of a module, as its POM names it behind its parent. */
    static String artifact(String module) {
        try {
            String pom = Files.readString(root().resolve(module).resolve("pom.xml"));
            Matcher found = Pattern.compile("<artifactId>([^<]+)<").matcher(pom);
            if (found.find(pom.indexOf("</parent>"))) {
                return found.group(1);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("the POM of " + module + " names no artifact");
    }

    /** The jar that this build has made of a module. */
    static Path jar(String module) {
        Path target = root().resolve(module).resolve("target");
        Path jar = target.resolve(artifact(module) + "-" + VERSION + ".jar");
        return Files.exists(jar) ? jar : target.resolve(artifact(module) + ".jar");
    }

    /** A property of a pom in the source tree. */
    static String property(String pom, String name) throws IOException {
        Matcher found =
                Pattern.compile("<" + Pattern.quote(name) + ">([^<]+)<").matcher(Files.readString(root().resolve(pom)));
        if (!found.find()) {
            throw new IllegalStateException(pom + " has no property " + name);
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
