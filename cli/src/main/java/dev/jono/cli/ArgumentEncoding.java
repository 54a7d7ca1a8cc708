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
 * The words of the command line. They are UTF-8 in every locale, as the command's data are; the script {@code jono} gives
 * the JVM a locale in which it reads them so. What did not come through is refused: the JVM itself replaces it silently.
 */
final class ArgumentEncoding {
    private static final char REPLACEMENT = '\ufffd';

    private ArgumentEncoding() {}

    /**
     * Refuses words, and a working directory, that the JVM has not read as they were written.
     *
     * @throws CliException if there is one
     */
    static void check(String... args) {
        for (int i = 0; i < args.length; i++) {
            if (!isAscii(args[i])) {
                requireUtf8("word " + (i + 1) + " of the command line");
            }
            if (args[i].indexOf(REPLACEMENT) >= 0 && !isAsTyped(i, args)) {
                throw CliException.usage("word " + (i + 1)
                        + " of the command line is not UTF-8; other bytes are pushed as base64, with --as bytes");
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
     * Refuses what the JVM cannot pass on in the locale that it was started in.
     *
     * @param what the words in question, for the error
     * @throws CliException if its encoding is not UTF-8
     */
    static void requireUtf8(String what) {
        String names = System.getProperty("sun.jnu.encoding", "");
        // JDK 17 writes the words of child processes in this one.
        String children = Charset.defaultCharset().name();
        if (!names.equals("UTF-8") || !children.equals("UTF-8")) {
            throw CliException.error("this JVM's locale (" + (names.equals("UTF-8") ? children : names)
                    + ") is not one of UTF-8, which " + what
                    + " needs: choose one, for example with LC_ALL=C.UTF-8");
        }
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 128);
    }

    /** Whether a word that holds the replacement character was written with it. */
    private static boolean isAsTyped(int index, String... args) {
        List<byte[]> raw = rawArguments();
        int at = raw.size() - args.length + index;
        return at >= 0 && Json.utf8(raw.get(at)).filter(args[index]::equals).isPresent();
    }

    /** The words of this process, its JVM's options among them; empty where the system does not show them. */
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

    /** Text that came as bytes, for people to read: what is no UTF-8 is shown as {@code \xE9}. */
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
