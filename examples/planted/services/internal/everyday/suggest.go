package everyday

import (
	"math/rand/v2"
	"net/http"
)

var syllables = []string{"ba", "cor", "di", "fen", "gra", "hol", "ki", "lum", "mar", "nes", "or", "pin", "ro", "sal", "tem", "vo"}

func randomWord(random *rand.Rand) string {
	word := ""
	for range 3 {
		word += syllables[random.IntN(len(syllables))]
	}
	return word
}

// misspelled is a word with one letter too few.
func misspelled(random *rand.Rand) string {
	word := randomWord(random)
	at := random.IntN(len(word))
	return word[:at] + word[at+1:]
}

// dictionary suggests the word with the smallest edit distance.
type dictionary struct{ words []string }

func newDictionary() *dictionary {
	random := rand.New(rand.NewPCG(1, 2))
	d := &dictionary{words: make([]string, 900)}
	for i := range d.words {
		d.words[i] = randomWord(random)
	}
	return d
}

func (d *dictionary) serve(w http.ResponseWriter, r *http.Request) {
	_, _ = w.Write([]byte(d.nearest(r.URL.Query().Get("q"))))
}

func (d *dictionary) nearest(word string) string {
	if len(word) > wordMax {
		return ""
	}
	best, least := "", wordMax+1
	for _, candidate := range d.words {
		if distance := editDistance(word, candidate); distance < least {
			best, least = candidate, distance
		}
	}
	return best
}

const wordMax = 31

// editDistance needs one row of the table at a time.
func editDistance(a, b string) int {
	var row [wordMax + 1]int
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
