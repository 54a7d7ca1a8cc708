package dev.jono.backend.mongo;

/** The classes that implement the calls of the SPI for one queue, keyed or not. Thread-safe. */
final class QueueParts {
    final Inserts inserts;
    final Restores restores;
    final Takes takes;
    final Claims claims;
    final Settlements settlements;
    final Moves moves;
    final IdleMessages idle;
    final Browses browses;
    final Counts counts;
    final Removals removals;
    final Deletions deletions;

    QueueParts(QueueCollection queue, QueueCollections collections) {
        inserts = new Inserts(queue);
        restores = new Restores(queue);
        ClaimSteps steps = new ClaimSteps(queue);
        takes = new Takes(queue, steps);
        claims = new Claims(queue, steps);
        settlements = new Settlements(queue);
        CollectionMoves betweenCollections = new CollectionMoves(queue, settlements, collections);
        moves = new Moves(queue, settlements, collections, betweenCollections);
        idle = new IdleMessages(queue, betweenCollections);
        browses = new Browses(queue);
        counts = new Counts(queue);
        removals = new Removals(queue);
        deletions = new Deletions(queue, collections.shared());
    }
}
