package wire

import (
	cryptorand "crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	// LowerAlphanumeric are the characters of most ids.
	LowerAlphanumeric = "abcdefghijklmnopqrstuvwxyz0123456789"
	digits            = "0123456789"
)

var (
	adjectives = []string{
		"aged", "autumn", "bold", "broad", "calm", "cold", "cool", "crimson", "curly", "damp", "dark", "dawn",
		"divine", "dry", "falling", "fancy", "flat", "fragrant", "gentle", "green", "hidden", "holy", "icy", "jolly",
		"late", "lively", "long", "lucky", "misty", "morning", "muddy", "noisy", "odd", "old", "orange", "patient",
		"plain", "polished", "proud", "purple", "quiet", "rapid", "red", "restless", "rough", "round", "royal", "shiny",
		"shy", "silent", "small", "snowy", "solitary", "spring", "square", "steep", "still", "summer", "super", "sweet",
	}
	nouns = []string{
		"art", "band", "bar", "base", "bird", "block", "boat", "bonus", "bread", "breeze", "brook", "bush",
		"butterfly", "cake", "cell", "cherry", "cloud", "credit", "darkness", "dawn", "dew", "disk", "dream", "dust",
		"feather", "field", "fire", "firefly", "flower", "fog", "forest", "frog", "frost", "glade", "glitter", "grass",
		"hall", "hat", "haze", "heart", "hill", "king", "lab", "lake", "leaf", "limit", "math", "meadow",
		"mode", "moon", "mountain", "mouse", "mud", "night", "paper", "pine", "poetry", "pond", "queen", "rain",
	}
)

// Words are two words and an end, as ids of Neon have them.
func Words(end string) string {
	return adjectives[rand.IntN(len(adjectives))] + "-" + nouns[rand.IntN(len(nouns))] + "-" + end
}

// Tail is the end of an id.
func Tail(alphabet string) string { return UnguessableOf(alphabet, 8) }

// NewProjectID is the id of a new project.
func NewProjectID() string { return Words(Tail(digits)) }

// NewOrgID is the id of a new organization.
func NewOrgID() string { return "org-" + Words(Tail(digits)) }

// NewBranchID is the id of a new branch. The official command line takes what isn't of this form for a name.
func NewBranchID() string { return "br-" + Words(Tail(LowerAlphanumeric)) }

// NewEndpointID is the id of a new compute endpoint.
func NewEndpointID() string { return "ep-" + Words(Tail(LowerAlphanumeric)) }

// NewSnapshotID is the id of a new snapshot.
func NewSnapshotID() string { return "snap-" + Words(Tail(LowerAlphanumeric)) }

// Unguessable is random text that nobody can predict.
func Unguessable(length int) string { return UnguessableOf(LowerAlphanumeric, length) }

// UnguessableOf is random text of some letters that nobody can predict.
func UnguessableOf(letters string, length int) string {
	text := make([]byte, 0, length)
	random := make([]byte, length)
	for len(text) < length {
		_, _ = cryptorand.Read(random) // It never fails: crypto/rand ends the program instead.
		for _, b := range random {
			// Bytes beyond the last whole multiple would favour the first letters.
			if int(b) < 256/len(letters)*len(letters) && len(text) < length {
				text = append(text, letters[int(b)%len(letters)])
			}
		}
	}
	return string(text)
}

// NewToken is a new API key.
func NewToken() string { return "napi_" + Unguessable(64) }

// NewPassword is a new password of a role.
func NewPassword() string { return "npg_" + Unguessable(12) }

// NewUUID is a random UUID (version 4).
func NewUUID() string {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], rand.Uint64())
	binary.BigEndian.PutUint64(id[8:], rand.Uint64())
	return FormatUUID(id, 4)
}

// NewTimeUUID is a UUID that begins with a time (version 7), which ids of
// claimable databases are.
func NewTimeUUID(now time.Time) string {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], uint64(now.UnixMilli())<<16)
	_, _ = cryptorand.Read(id[6:]) // It never fails: crypto/rand ends the program instead.
	return FormatUUID(id, 7)
}

// FormatUUID writes a UUID of a version.
func FormatUUID(id [16]byte, version byte) string {
	id[6] = id[6]&0x0f | version<<4
	id[8] = id[8]&0x3f | 0x80
	text := hex.EncodeToString(id[:])
	return fmt.Sprintf("%s-%s-%s-%s-%s", text[:8], text[8:12], text[12:16], text[16:20], text[20:])
}
