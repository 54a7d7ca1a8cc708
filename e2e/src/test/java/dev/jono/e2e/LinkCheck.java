package dev.jono.e2e;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodType;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks that compiled classes fit the libraries on the class path: each class loads and verifies, each member that it
 * uses exists and is accessible, and no abstract method is missing. It also covers code that no behaviour test reaches.
 */
final class LinkCheck {
    private final ClassLoader loader = Objects.requireNonNull(LinkCheck.class.getClassLoader());
    private final List<String> problems = new ArrayList<>();
    private int members;

    /** The jars to check; the exit code is 1 if something does not fit. */
    public static void main(String[] jars) throws IOException {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        LinkCheck check = new LinkCheck();
        for (String jar : jars) {
            check.check(jar);
        }
        check.problems.forEach(out::println);
        out.println(check.members + " members checked");
        System.exit(check.problems.isEmpty() ? 0 : 1);
    }

    /** Checks all classes of a jar that is on the class path. */
    private void check(String jar) throws IOException {
        try (JarFile file = new JarFile(jar)) {
            for (JarEntry entry : Collections.list(file.entries())) {
                String name = entry.getName();
                if (name.endsWith(".class") && !name.endsWith("-info.class")) {
                    try (InputStream content = file.getInputStream(entry)) {
                        String type = name.substring(0, name.length() - ".class".length())
                                .replace('/', '.');
                        check(type, new ClassReferences(content));
                    }
                }
            }
        }
    }

    private void check(String name, ClassReferences references) {
        try {
            Class<?> type = Class.forName(name, false, loader);
            // These link the class, which verifies it, and load the types of its own members.
            Stream.of(type.getDeclaredMethods(), type.getDeclaredConstructors(), type.getDeclaredFields())
                    .forEach(found -> members += found.length);
            if (!Modifier.isAbstract(type.getModifiers())) {
                Arrays.stream(type.getMethods())
                        .filter(method -> Modifier.isAbstract(method.getModifiers()))
                        .forEach(method -> problems.add(name + " does not implement " + method));
            }
        } catch (ClassNotFoundException | LinkageError e) {
            problems.add(name + " cannot be linked: " + e);
            return;
        }
        references.classes().forEach(other -> {
            try {
                Class.forName(other, false, loader);
            } catch (ClassNotFoundException | LinkageError e) {
                problems.add(name + " refers to a missing class: " + e);
            }
        });
        references.members().forEach(member -> {
            String problem = problem(member);
            if (problem != null) {
                problems.add(name + " uses " + member + ", " + problem);
            }
        });
    }

    private @Nullable String problem(ClassReferences.Member member) {
        members++;
        if (member.owner().startsWith("[")) {
            return null; // clone() of an array
        }
        Class<?> owner;
        Member found;
        try {
            owner = Class.forName(member.owner(), false, loader);
            found = member.field() ? field(owner, member) : method(owner, member);
        } catch (ClassNotFoundException | LinkageError | TypeNotPresentException e) {
            return "some of whose types are missing: " + e;
        }
        if (found == null) {
            return "which does not exist";
        }
        if (!member.field() && owner.isInterface() != member.inInterface()) {
            return "but " + owner + " is no longer what it was";
        }
        boolean ours = found.getDeclaringClass().getName().startsWith("dev.jono.");
        int usable = found.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED);
        return ours || usable != 0 ? null : "which is not accessible";
    }

    private @Nullable Member field(Class<?> owner, ClassReferences.Member wanted) {
        Class<?> type = MethodType.fromMethodDescriptorString("()" + wanted.descriptor(), loader)
                .returnType();
        return family(owner)
                .flatMap(at -> Arrays.stream(at.getDeclaredFields()))
                .filter(f -> f.getName().equals(wanted.name()) && f.getType() == type)
                .findFirst()
                .orElse(null);
    }

    private @Nullable Member method(Class<?> owner, ClassReferences.Member wanted) {
        MethodType type = MethodType.fromMethodDescriptorString(wanted.descriptor(), loader);
        if (wanted.name().equals("<init>")) {
            return Arrays.stream(owner.getDeclaredConstructors())
                    .filter(c -> type.parameterList().equals(List.of(c.getParameterTypes())))
                    .findFirst()
                    .orElse(null);
        }
        return family(owner)
                .flatMap(at -> Arrays.stream(at.getDeclaredMethods()))
                .filter(m -> m.getName().equals(wanted.name()) && fits(m, type))
                .findFirst()
                .orElse(null);
    }

    private static boolean fits(Method method, MethodType type) {
        // MethodHandle.invoke and similar methods accept any arguments.
        boolean anything = method.isVarArgs()
                && Modifier.isNative(method.getModifiers())
                && method.getDeclaringClass().getPackageName().equals("java.lang.invoke");
        return anything
                || (method.getReturnType() == type.returnType()
                        && type.parameterList().equals(List.of(method.getParameterTypes())));
    }

    /** A class and all its supertypes, including Object for interfaces. */
    private static Stream<Class<?>> family(Class<?> type) {
        Stream<Class<?>> above = Stream.concat(
                        Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                .flatMap(LinkCheck::family);
        Stream<Class<?>> object = type.isInterface() ? Stream.of(Object.class) : Stream.of();
        return Stream.concat(Stream.of(type), Stream.concat(above, object)).distinct();
    }
}
