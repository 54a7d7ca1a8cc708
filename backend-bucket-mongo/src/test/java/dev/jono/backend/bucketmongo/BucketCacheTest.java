package dev.jono.backend.bucketmongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.backend.bucketmongo.BucketCache.Candidates;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;

class BucketCacheTest {
    private long nanos;
    private final BucketCache shelf = new BucketCache(() -> nanos);

    private static Bucket bucket(String id, long version) {
        BsonDocument document = BsonDocument.parse("{_id: '" + id + "', mature: {$date: '2026-01-01T00:00:00Z'},"
                + " b: [{__p: 'a', __h: {}}, {__p: 'b', __h: {}}], n: 2, v: " + version + "}");
        return BucketReader.read(RawBsonDocument.parse(document.toJson()));
    }

    private static Candidates row(Bucket... buckets) {
        return new Candidates(List.of(buckets), true, 0);
    }

    /** Others have taken what earlier searches found: of that no message is kept. */
    @Test
    void messagesOfThePresentRowAloneAreKept() {
        List<BucketId> seen = new ArrayList<>();
        for (int search = 0; search < 100; search++) {
            Bucket[] some = new Bucket[4];
            for (int i = 0; i < some.length; i++) {
                some[i] = bucket("b" + search + '-' + i, 1);
                seen.add(some[i].id);
            }
            shelf.endSearch(row(some), shelf.beginSearch());
            shelf.put(bucket("elsewhere" + search, 1));
            seen.add(new BucketId(new org.bson.BsonString("elsewhere" + search)));
            assertThat(seen.stream().map(shelf::get).filter(known -> known != null && known.hasMessages()))
                    .hasSize(some.length);
        }
        nanos += 1_000_000_000;
        assertThat(shelf.candidates().buckets()).isEmpty();
        assertThat(seen.stream().map(shelf::get)).doesNotContainNull().noneMatch(Bucket::hasMessages);
    }

    @Test
    void whatSearchReadsIsBelievedWhateverItsVersion() {
        shelf.put(bucket("a", 1000));
        Candidates found = shelf.endSearch(row(bucket("a", 5)), shelf.beginSearch());
        assertThat(found.buckets()).extracting(bucket -> bucket.version).containsExactly(5L);
    }

    @Test
    void whatWasWrittenDuringSearchIsBelievedMore() {
        long began = shelf.beginSearch();
        shelf.put(bucket("a", 5));
        Candidates found = shelf.endSearch(row(bucket("a", 1000), bucket("b", 1)), began);
        assertThat(found.buckets()).extracting(bucket -> bucket.id.toString()).containsExactly("b");
    }

    /** keuss has read a bucket of which Jono held a message: that this was a delivery is known without its messages too. */
    @Test
    void bucketWithoutItsMessagesIsTheSameElse() {
        BsonDocument document = BsonDocument.parse("{_id: 'a', mature: {$date: '2026-01-01T00:00:00Z'}, b: ['f', 'g'],"
                + " n: 2, v: 7, tries: 2, seen: 1, reserved: {$date: '2026-01-01T00:00:00Z'},"
                + " held: [{token: {$numberLong: '1'}, end: {$date: '2026-01-01T00:00:00Z'}, n: 1, slots: [0, 1]}]}");
        Bucket bucket = BucketReader.read(RawBsonDocument.parse(document.toJson()));
        assertThat(bucket.lapsed.get(0)).isTrue();
        assertThat(bucket.withoutMessages().lapsed).isEqualTo(bucket.lapsed);
        assertThat(bucket.withoutMessages().dueMillis).isEqualTo(bucket.dueMillis);
        assertThat(bucket.withoutMessages().unchanged()).isEqualTo(bucket.unchanged());
    }
}
