package dev.jono.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.FileSystemGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;

/** An application context that was processed ahead of time: its hints, and its generated sources. */
final class ProcessedApplication {
    private final Path folder;
    private final DefaultGenerationContext generated;
    private final ClassName initializer;

    /**
     * Processes a context.
     *
     * @param folder an empty folder for what is generated
     * @param application not refreshed; it is closed
     */
    ProcessedApplication(Path folder, Supplier<GenericApplicationContext> application) {
        this.folder = folder;
        this.generated = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("dev.jono.spring", "Application")),
                new FileSystemGeneratedFiles(folder));
        try (GenericApplicationContext context = application.get()) {
            this.initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generated);
        }
        generated.writeGeneratedContent();
    }

    /** What a native image needs to know. */
    RuntimeHints hints() {
        return generated.getRuntimeHints();
    }

    /**
     * Compiles the sources, and calls a static method with the name of the initializer of the context. Everything is loaded by one new class
     * loader, because generated classes use package-private ones.
     */
    void run(Class<?> type, String method) throws Exception {
        List<String> classPath = new ArrayList<>(List.of(compile().toString()));
        classPath.addAll(List.of(classPath().split(File.pathSeparator, -1)));
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            loader.loadClass(type.getName()).getMethod(method, String.class).invoke(null, initializer.reflectionName());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private Path compile() throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (Stream<Path> sources = Files.walk(folder.resolve("sources"));
                StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<Path> java = sources.filter(Files::isRegularFile).toList();
            List<String> options = List.of("-proc:none", "-cp", classPath(), "-d", classes.toString());
            boolean done = compiler.getTask(
                            messages, files, null, options, null, files.getJavaFileObjectsFromPaths(java))
                    .call();
            assertThat(done).as(messages.toString()).isTrue();
        }
        return classes;
    }

    /** Surefire replaces the class path by a jar of its own. */
    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
