import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const generating = functions(
  "crypto/rand.*",
  "crypto/internal/{sysrand,rand}.*",
  "crypto/internal/fips140/drbg.*",
  "crypto/internal/entropy*",
  "github.com/google/uuid.New*",
  "github.com/gofrs/uuid*",
  "github.com/rs/xid.New*",
  "github.com/oklog/ulid*",
  "github.com/matoous/go-nanoid*",
);
const purposes = functions("crypto/{tls,rsa,ecdsa,ecdh,mlkem}.*");

export const cryptoRandom = callRule({
  id: "crypto-random",
  name: "Cryptographic random numbers in hot code",
  looksAt: "CPU in crypto/rand and in UUID libraries below application code, TLS and keys left out.",
  select: ({ main }) => main.calls(generating).without(purposes),
  from: { low: 0.02, medium: 0.05, high: 0.2 },
  confidence: 0.9,
  saves: 0.85,
  issue: ({ where, share }) => `${where} spends ${share} in crypto/rand: use math/rand/v2 for jitter and ids`,
  impact:
    "Small reads cost a system call or a generator step each. math/rand/v2 needs a few nanoseconds and no lock; one large read serves many ids.",
  solution: ({ where }) =>
    `Use math/rand/v2 in ${where} for jitter, sampling, shuffling and ids that nobody must guess. Tokens and keys need crypto/rand: read several kilobytes at once and hand out pieces (uuid.EnableRandPool does that for google/uuid).`,
  example: `import (
	"crypto/rand"
	mathrand "math/rand/v2"
	"sync"
	"time"
)

// backoff needs no cryptographic randomness.
func backoff(base time.Duration) time.Duration {
	return base + mathrand.N(base)
}

// tokens hands out random bytes of large reads.
type tokens struct {
	mu   sync.Mutex
	pool [4096]byte
	left int
}

func (t *tokens) next() (token [16]byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left < len(token) {
		rand.Read(t.pool[:])
		t.left = len(t.pool)
	}
	piece := t.pool[t.left-len(token) : t.left]
	copy(token[:], piece)
	clear(piece)
	t.left -= len(token)
	return token
}
`,
});
