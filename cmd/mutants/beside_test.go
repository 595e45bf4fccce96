package main

import (
	"strings"
	"testing"
)

// A fault in bodies of functions stands beside them, and any other is compiled alone.
func TestPlantBeside(t *testing.T) {
	t.Parallel()
	const source = `package p

const limit = 3

type box[T any] struct{ has []T }

func (b *box[T]) add(more ...T) int { b.has = append(b.has, more...); return len(b.has) }

func sum[A, B any](a A, b B) bool { return same(a, b) }

func say(text string) {
	print(text)
}

func drop(_ int) int { return limit }
`
	for want, change := range map[string][2]string{
		"\nif wantedFault == \"a-fault\" {\nreturn b.fault_a_fault_add(more...)\n}\n b.has = append": {"return len(b.has)", "return 0"},
		"\nfunc (b *box[T]) fault_a_fault_add(more ...T) int {":                                      {"return len(b.has)", "return 0"},
		"return fault_a_fault_sum[A, B](a, b)":                                                       {"return same(a, b)", "return true"},
		"fault_a_fault_say(text)\nreturn\n}\n":                                                       {"print(text)", "// print(text)"},
		"alone: a constant":                                                                          {"limit = 3", "limit = 4"},
		"alone: a signature":                                                                         {"say(text string)", "say(text any)"},
		"alone: nobody can pass on what has no name":                                                 {"return limit", "return 2"},
		"alone: another function":                                                                    {"func drop", "func more() {}\n\nfunc drop"},
	} {
		b, err := newBeside([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		isBeside := b.plant("a-fault", []byte(strings.Replace(source, change[0], change[1], 1)))
		text := b.text()
		if _, err := parse([]byte(text)); err != nil {
			t.Errorf("%s: %v", want, err)
		}
		if strings.HasPrefix(want, "alone") {
			if isBeside || text != source {
				t.Errorf("%s: it was planted beside others:\n%s", want, text)
			}
		} else if !isBeside || !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}
