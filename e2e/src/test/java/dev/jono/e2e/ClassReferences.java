package dev.jono.e2e;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The references of a compiled class to other classes, read from the constant pool of the class file. */
final class ClassReferences {
    private static final int UTF8 = 1;
    private static final int CLASS = 7;
    private static final int FIELD = 9;
    private static final int INTERFACE_METHOD = 11;
    private static final int NAME_AND_TYPE = 12;

    /**
     * A member of another class, or of this one.
     *
     * @param owner the class that is searched for the member, with dots
     * @param descriptor as in the class file
     * @param inInterface whether the owner was an interface when this was compiled; meaningless for a field
     */
    record Member(String owner, String name, String descriptor, boolean field, boolean inInterface) {
        @Override
        public String toString() {
            return owner + "." + name + (field ? " " : "") + descriptor;
        }
    }

    private final Set<String> classes = new TreeSet<>();
    private final List<Member> members = new ArrayList<>();

    /** Reads a class file to the end of its constant pool. */
    ClassReferences(InputStream file) throws IOException {
        DataInputStream in = new DataInputStream(file);
        in.skipNBytes(8); // the magic number and the version
        int size = in.readUnsignedShort();
        String[] texts = new String[size];
        int[] tags = new int[size];
        int[] first = new int[size];
        int[] second = new int[size];
        for (int i = 1; i < size; i++) {
            tags[i] = in.readUnsignedByte();
            switch (tags[i]) {
                case UTF8 -> texts[i] = in.readUTF();
                case 3, 4 -> in.skipNBytes(4);
                case 5, 6 -> {
                    in.skipNBytes(8);
                    i++; // a long and a double take two entries
                }
                case 15 -> in.skipNBytes(3);
                case CLASS, 8, 16, 19, 20 -> first[i] = in.readUnsignedShort();
                case FIELD, 10, INTERFACE_METHOD, NAME_AND_TYPE, 17, 18 -> {
                    first[i] = in.readUnsignedShort();
                    second[i] = in.readUnsignedShort();
                }
                default -> throw new IOException("an entry of the constant pool with the unknown tag " + tags[i]);
            }
        }
        for (int i = 1; i < size; i++) {
            if (tags[i] == CLASS) {
                addClass(texts[first[i]]);
            } else if (tags[i] >= FIELD && tags[i] <= INTERFACE_METHOD) {
                String owner = texts[first[first[i]]].replace('/', '.');
                String name = texts[first[second[i]]];
                String descriptor = texts[second[second[i]]];
                members.add(new Member(owner, name, descriptor, tags[i] == FIELD, tags[i] == INTERFACE_METHOD));
            }
        }
    }

    private void addClass(String internalName) {
        String name = internalName.replaceFirst("^\\[+", "");
        if (name.equals(internalName)) {
            classes.add(name.replace('/', '.'));
        } else if (name.startsWith("L")) {
            classes.add(name.substring(1, name.length() - 1).replace('/', '.'));
        }
    }

    /** The referenced classes, without arrays and primitive types. */
    Set<String> classes() {
        return classes;
    }

    /** The referenced fields, methods and constructors. */
    List<Member> members() {
        return members;
    }
}
