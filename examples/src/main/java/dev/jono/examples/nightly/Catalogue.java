package dev.jono.examples.nightly;

import java.util.List;

/** What the import fills. Here it stands for a database and the files of a supplier. */
public interface Catalogue {
    /** The names of the supplier's files of a night. */
    List<String> files(String night);

    /**
     * Loads a file into the catalogue of a night. Loading a file twice has the same result as loading it once.
     *
     * @throws Exception if the file cannot be loaded now
     */
    void load(String night, String file) throws Exception;

    /** Shows the catalogue of a night to customers. */
    void publish(String night);

    /** Tells the staff that the catalogue of a night is not complete. */
    void report(String night);
}
