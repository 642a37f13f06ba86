import { callRule } from "#rules/call-rule.ts";
import { functions } from "#rules/match.ts";

const deriving = functions(
  "golang.org/x/crypto/{bcrypt,argon2,scrypt,pbkdf2,blowfish}.*",
  "github.com/alexedwards/argon2id.*",
  "crypto/pbkdf2.*",
  "crypto/internal/fips140/pbkdf2.*",
);

/** Functions of the application that hash passwords in rounds of an ordinary hash. */
const passwordName = /(?:^|[.)])[a-zA-Z0-9]{0,100}[pP]ass(?:word|wd|phrase)[a-zA-Z0-9]{0,100}$/;
const ownFunctions = (name: string) => passwordName.test(name);
const rounds = functions("crypto/*", "hash/*");

export const passwordHashing = callRule({
  id: "password-hashing",
  name: "Password hashing in hot code",
  looksAt: "CPU in bcrypt, argon2, scrypt and PBKDF2, and in hashes below functions named after passwords.",
  select: ({ main }) => {
    const library = main.calls(deriving);
    const own = main.throughApplication(ownFunctions).and(rounds);
    return own.weight > library.weight ? own : library;
  },
  // These functions are slow on purpose. A quarter of all CPU means that they run for ordinary requests.
  from: { low: 0.04, medium: 0.1, high: 0.25 },
  confidence: 0.9,
  saves: 0.9,
  issue: ({ where, share }) => `${where} spends ${share} on password hashes: check a session token instead`,
  impact:
    "A password hash is slow on purpose, and belongs to signing in, not to every request. A session or signed token is checked in microseconds.",
  solution: ({ where }) =>
    `Check the password once at sign-in, then give the client a random session token and look that up (store its SHA-256) instead of calling ${where} again. API keys with 128 random bits or more need no slow hash. Limit concurrent sign-ins, so that a burst cannot take all processors.`,
  example: `import (
	"crypto/sha256"
	"crypto/subtle"
	"sync"
)

// sessions are found by the hash of their token: long random tokens need no slow hash.
type sessions struct {
	mu     sync.RWMutex
	byHash map[[sha256.Size]byte]string
}

func (s *sessions) user(token string) (string, bool) {
	hash := sha256.Sum256([]byte(token))
	s.mu.RLock()
	defer s.mu.RUnlock()
	user, ok := s.byHash[hash]
	return user, ok
}

// isKey compares an API key with its stored hash in constant time.
func isKey(key string, stored [sha256.Size]byte) bool {
	hash := sha256.Sum256([]byte(key))
	return subtle.ConstantTimeCompare(hash[:], stored[:]) == 1
}
`,
});
