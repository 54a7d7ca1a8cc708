package dev.jono.memory;

/** Where a message stands in an {@link Order}: by rank, a time in milliseconds; ties by insertion. */
class Place {
    final long seq;
    long rank;

    Place(long rank, long seq) {
        this.rank = rank;
        this.seq = seq;
    }

    final int compareTo(Place other) {
        int byRank = Long.compare(rank, other.rank);
        return byRank != 0 ? byRank : Long.compare(seq, other.seq);
    }
}
