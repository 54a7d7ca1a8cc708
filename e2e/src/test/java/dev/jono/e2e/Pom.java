package dev.jono.e2e;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** A POM as it lies in a repository. */
final class Pom {
    private static final XPath XPATH = XPathFactory.newInstance().newXPath();

    private final Node project;

    private Pom(Node project) {
        this.project = project;
    }

    static Pom read(Path file) throws IOException {
        try {
            return new Pom(DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getDocumentElement());
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(file + " is not XML", e);
        }
    }

    /** The text of an element, as {@code scm/url}; empty if it is missing. */
    String text(String path) {
        return text(project, path);
    }

    /** The direct dependencies. */
    List<Dependency> dependencies() {
        return dependencies("dependencies/dependency");
    }

    /** What a BOM names. */
    List<Dependency> managedDependencies() {
        return dependencies("dependencyManagement/dependencies/dependency");
    }

    private List<Dependency> dependencies(String path) {
        try {
            NodeList found = (NodeList) XPATH.evaluate(path, project, XPathConstants.NODESET);
            List<Dependency> dependencies = new ArrayList<>();
            for (int i = 0; i < found.getLength(); i++) {
                dependencies.add(dependency(found.item(i)));
            }
            return dependencies;
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    private Dependency dependency(Node node) {
        return new Dependency(
                text(node, "groupId"),
                text(node, "artifactId"),
                text(node, "version").replace("${project.version}", text("version")),
                text(node, "scope"));
    }

    private static String text(Node node, String path) {
        try {
            return XPATH.evaluate(path, node).strip();
        } catch (XPathExpressionException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    /** A dependency; the scope is empty where none is written. */
    record Dependency(String group, String artifact, String version, String scope) {}
}
