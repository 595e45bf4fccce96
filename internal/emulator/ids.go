package emulator

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"math/big"
	"time"
)

var words = []string{"misty", "quiet", "wispy", "bold", "meadow", "river", "cloud", "forest", "lake", "stone", "amber", "dawn"}

func pick(from string, length int) string {
	text := make([]byte, length)
	for i := range text {
		n, _ := rand.Int(rand.Reader, big.NewInt(int64(len(from))))
		text[i] = from[n.Int64()]
	}
	return string(text)
}

func letters(n int) string { return pick("abcdefghijklmnopqrstuvwxyz0123456789", n) }
func digits(n int) string  { return pick("0123456789", n) }

func newName() string {
	one, _ := rand.Int(rand.Reader, big.NewInt(int64(len(words))))
	two, _ := rand.Int(rand.Reader, big.NewInt(int64(len(words))))
	return words[one.Int64()] + "-" + words[two.Int64()]
}

func newUUID() string {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw)
	raw[6], raw[8] = raw[6]&0x0f|0x40, raw[8]&0x3f|0x80
	return format(raw)
}

// newUUID7 begins with the time, in milliseconds.
func newUUID7(now time.Time) string {
	raw := make([]byte, 16)
	_, _ = rand.Read(raw)
	ms := now.UnixMilli()
	for i := range 6 {
		raw[i] = byte(ms >> (40 - 8*i) & 0xff) // #nosec G115 -- masked to a byte
	}
	raw[6], raw[8] = raw[6]&0x0f|0x70, raw[8]&0x3f|0x80
	return format(raw)
}

func format(raw []byte) string {
	text := hex.EncodeToString(raw)
	return fmt.Sprintf("%s-%s-%s-%s-%s", text[:8], text[8:12], text[12:16], text[16:20], text[20:])
}
