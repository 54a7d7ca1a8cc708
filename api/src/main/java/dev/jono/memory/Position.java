package dev.jono.memory;

/**
 * A position in a {@link PositionOrder}: by rank, a time in milliseconds, then by the sequence number of the insert.
 */
class Position {
    final long seq;
    long rank;

    Position(long rank, long seq) {
        this.rank = rank;
        this.seq = seq;
    }

    final int compareTo(Position other) {
        int byRank = Long.compare(rank, other.rank);
        return byRank != 0 ? byRank : Long.compare(seq, other.seq);
    }
}
