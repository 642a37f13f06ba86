import { callRule, type Thresholds } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";
import type { Selection } from "#rules/selection.ts";

const hashes = functions(
  "crypto/{sha1,sha256,sha512,sha3,md5,hmac}.*",
  "crypto/internal/fips140/sha*",
  "crypto/internal/fips140/hmac.*",
  "hash/{fnv,adler32,crc32,crc64}.*",
  "golang.org/x/crypto/{sha3,blake2b,blake2s,md4,ripemd160}.*",
  "github.com/minio/sha256-simd*",
  "github.com/zeebo/blake3*",
  "lukechampine.com/blake3*",
);
/** Hashing as a part of something that has its own advice, or none. */
const purposes = functions(
  "crypto/{tls,pbkdf2,rsa,ecdsa,x509}.*",
  "crypto/internal/fips140/pbkdf2.*",
  "golang.org/x/crypto/{pbkdf2,scrypt,argon2,bcrypt}.*",
  "golang.org/x/crypto/ssh*",
  "compress/*",
  "image/png.*",
);

/** The application's hash functions, by the last part of their names. */
const hashName =
  /(?:^|[.)])[a-zA-Z0-9]{0,100}?(?:[hH]ash|[cC]hecksum|[dD]igest|[cC][rR][cC]|[fF]nv)[a-zA-Z0-9]{0,100}(?:\.func\d+)*$/;
/** Functions that usually hash a key to place it. */
const placingName =
  /(?:^|[.)])[a-zA-Z0-9]{0,100}?(?:[sS]hard|[bB]ucket|[pP]artition|[fF]ingerprint|[sS]ignature|[mM]urmur|[xX]x[hH])[a-zA-Z0-9]{0,100}(?:\.func\d+)*$/;
const isHashing = (name: string) => hashName.test(name);
const own = (name: string) => hashName.test(name) || placingName.test(name);

const ofHashes: Thresholds = { low: 0.04, medium: 0.1 };
/** A hash written in Go always has a faster replacement. */
const ofOwnHashes: Thresholds = { ...ofHashes, high: 0.3 };

const isLibrary = (selection: Selection) => selection.and(hashes).weight > 0;

export const hashing = callRule({
  id: "hashing",
  name: "Cryptographic hashes in hot code",
  looksAt:
    "CPU in SHA, MD5, HMAC and FNV below application code, and in the application's functions named as hashes; TLS and passwords left out.",
  yieldsTo: ["password-hashing"],
  select: ({ main }) => {
    const library = main.calls(hashes).without(purposes);
    const loops = main.endingInApplication(own);
    return loops.weight > library.weight ? loops : library;
  },
  cause: (selection) => selection.above(own),
  // A checksum may be the purpose of the program, so that the share of a library's hash proves nothing.
  from: ({ selection }) =>
    isLibrary(selection) || selection.and(isHashing).weight < selection.weight / 2 ? ofHashes : ofOwnHashes,
  confidence: ({ selection }) => (isLibrary(selection) ? 0.75 : 0.65),
  saves: 0.7,
  issue: ({ where, share, selection }) =>
    `${where} spends ${share} in ${isLibrary(selection) ? "cryptographic hashes" : "a hand-written hash"}: use hash/maphash`,
  impact: ({ selection }) =>
    `${isLibrary(selection) ? "Keys of a cache, ETags and partitions need no cryptographic hash." : "The standard library's hashes are written in assembly."} hash/maphash needs a tenth of the time; a hash stored with its data is computed once.`,
  solution: ({ where }) =>
    `Keep the hash next to the data that ${where} hashes and compute it when the data changes. For keys within the process use hash/maphash, for stored checksums xxHash or CRC-32C (hash/crc32 with crc32.Castagnoli), which processors compute in hardware. Do not change the hash function of signatures, or of content that others verify.`,
  example: `import (
	"crypto/sha256"
	"encoding/hex"
	"hash/maphash"
)

// document keeps its tag; it is computed when the text changes.
type document struct {
	text []byte
	tag  string
}

func (d *document) setText(text []byte) {
	sum := sha256.Sum256(text)
	d.text, d.tag = text, hex.EncodeToString(sum[:])
}

var seed = maphash.MakeSeed()

// shardOf needs no cryptographic hash.
func shardOf(key string, shards uint64) uint64 {
	return maphash.String(seed, key) % shards
}
`,
});
