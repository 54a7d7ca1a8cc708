package dev.jono.backend.bucketmongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.jono.backend.bucketmongo.BucketCache.Candidates;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;

class BucketCacheTest {
    private long nanos;
    private final BucketCache cache = new BucketCache(() -> nanos);

    private static Bucket bucket(String id, long version) {
        BsonDocument document = BsonDocument.parse("{_id: '" + id + "', mature: {$date: '2026-01-01T00:00:00Z'},"
                + " b: [{__p: 'a', __h: {}}, {__p: 'b', __h: {}}], n: 2, v: " + version + "}");
        return BucketReader.read(RawBsonDocument.parse(document.toJson()));
    }

    private static Candidates candidates(Bucket... buckets) {
        return new Candidates(List.of(buckets), true, 0);
    }

    /** Other processes have taken the messages that earlier searches found; the cache must not keep them. */
    @Test
    void onlyCandidatesKeepTheirMessages() {
        List<BucketId> seen = new ArrayList<>();
        for (int search = 0; search < 100; search++) {
            Bucket[] candidates = new Bucket[4];
            for (int i = 0; i < candidates.length; i++) {
                candidates[i] = bucket("b" + search + '-' + i, 1);
                seen.add(candidates[i].id);
            }
            cache.endSearch(candidates(candidates), cache.beginSearch());
            cache.put(bucket("other" + search, 1));
            seen.add(new BucketId(new BsonString("other" + search)));
            assertThat(seen.stream().map(cache::get).filter(bucket -> bucket != null && bucket.hasMessages()))
                    .hasSize(candidates.length);
        }
        nanos += 1_000_000_000;
        assertThat(cache.candidates().buckets()).isEmpty();
        assertThat(seen.stream().map(cache::get)).doesNotContainNull().noneMatch(Bucket::hasMessages);
    }

    @Test
    void bucketThatSearchReadsReplacesCachedOneOfAnyVersion() {
        cache.put(bucket("a", 1000));
        Candidates found = cache.endSearch(candidates(bucket("a", 5)), cache.beginSearch());
        assertThat(found.buckets()).extracting(bucket -> bucket.version).containsExactly(5L);
    }

    @Test
    void bucketWrittenDuringSearchIsNotReplaced() {
        long begunAt = cache.beginSearch();
        cache.put(bucket("a", 5));
        Candidates found = cache.endSearch(candidates(bucket("a", 1000), bucket("b", 1)), begunAt);
        assertThat(found.buckets()).extracting(bucket -> bucket.id.toString()).containsExactly("b");
    }

    /** keuss has read a bucket while Jono held a message of it. The cache keeps that delivery without the messages. */
    @Test
    void bucketWithoutMessagesKeepsItsState() {
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
