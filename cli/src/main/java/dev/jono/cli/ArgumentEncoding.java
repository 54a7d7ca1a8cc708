package dev.jono.cli;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Checks that the JVM has decoded the arguments of the command line correctly. Arguments are UTF-8 in every locale. The
 * script {@code jono} sets a locale in which the JVM decodes them as UTF-8. The JVM silently replaces bytes that it
 * cannot decode, so this class refuses such arguments.
 */
final class ArgumentEncoding {
    private static final char REPLACEMENT = '\ufffd';

    private ArgumentEncoding() {}

    /**
     * Refuses arguments, and a working directory, that the JVM has not decoded correctly.
     *
     * @throws CliException if there is such an argument
     */
    static void check(String... args) {
        for (int i = 0; i < args.length; i++) {
            if (!isAscii(args[i])) {
                requireUtf8("argument " + (i + 1));
            }
            if (args[i].indexOf(REPLACEMENT) >= 0 && !isReplacementTyped(i, args)) {
                throw CliException.usage(
                        "argument " + (i + 1) + " is not UTF-8; to push other bytes, use base64 and --as bytes");
            }
        }
        String directory = System.getProperty("user.dir", "");
        if (!isAscii(directory)) {
            requireUtf8("the name of the working directory");
        }
        if (directory.indexOf(REPLACEMENT) >= 0 && !Files.isDirectory(Path.of(directory))) {
            throw CliException.error("the name of the working directory is not UTF-8");
        }
    }

    /**
     * Requires that the JVM passes text to the system as UTF-8.
     *
     * @param what the text in question, for the error message
     * @throws CliException if the locale of the JVM has another encoding
     */
    static void requireUtf8(String what) {
        String names = System.getProperty("sun.jnu.encoding", "");
        // JDK 17 encodes the arguments of child processes with this charset.
        String children = Charset.defaultCharset().name();
        if (!names.equals("UTF-8") || !children.equals("UTF-8")) {
            throw CliException.error("the locale of this JVM has the encoding "
                    + (names.equals("UTF-8") ? children : names) + ", but " + what
                    + " needs UTF-8: set, for example, LC_ALL=C.UTF-8");
        }
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 128);
    }

    /** Whether the user typed the replacement character in this argument. */
    private static boolean isReplacementTyped(int index, String... args) {
        List<byte[]> raw = rawArguments();
        int at = raw.size() - args.length + index;
        return at >= 0 && Json.utf8(raw.get(at)).filter(args[index]::equals).isPresent();
    }

    /** The arguments of this process as bytes, including JVM options; empty if the system does not show them. */
    private static List<byte[]> rawArguments() {
        byte[] line;
        try {
            line = Files.readAllBytes(Path.of("/proc/self/cmdline"));
        } catch (IOException e) {
            return List.of();
        }
        List<byte[]> words = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < line.length; i++) {
            if (line[i] == 0) {
                words.add(java.util.Arrays.copyOfRange(line, from, i));
                from = i + 1;
            }
        }
        return words;
    }

    /** Decodes text for people to read. A byte that is not UTF-8 is shown as {@code \xE9}. */
    static String readable(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        var decoder = StandardCharsets.UTF_8.newDecoder();
        var in = java.nio.ByteBuffer.wrap(bytes);
        var out = java.nio.CharBuffer.allocate(bytes.length + 1);
        while (true) {
            var result = decoder.decode(in, out, true);
            if (!result.isError()) {
                return text.append(out.flip()).toString();
            }
            text.append(out.flip());
            out.clear();
            for (int i = 0; i < result.length(); i++) {
                text.append(String.format(Locale.ROOT, "\\x%02X", in.get()));
            }
        }
    }
}
