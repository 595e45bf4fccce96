package recording

import (
	"regexp"
	"slices"
	"strings"
)

// span is text of one look.
type span struct {
	text string
	// classes are those of the style sheet, sorted.
	classes []string
}

// sequence is one that sets the look of what follows.
var sequence = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

// looks are the classes of the numbers in such a sequence.
var looks = map[string]string{
	"1": "b", "4": "u",
	"31": "red", "32": "green", "33": "yellow", "34": "blue", "35": "magenta", "36": "cyan", "90": "dim",
	"91": "red", "92": "green", "93": "yellow", "94": "blue", "95": "magenta", "96": "cyan",
}

// parse splits a line where its look changes. It begins with these classes, and returns those
// that the next line begins with.
func parse(text string, classes []string) ([]span, []string) {
	var spans []span
	add := func(text string) {
		if text != "" {
			spans = append(spans, span{text, slices.Clone(classes)})
		}
	}
	end := 0
	for _, at := range sequence.FindAllStringSubmatchIndex(text, -1) {
		add(text[end:at[0]])
		end = at[1]
		classes = look(classes, strings.Split(text[at[2]:at[3]], ";"))
	}
	add(text[end:])
	return spans, classes
}

// look returns the classes after a sequence with these numbers.
func look(classes, numbers []string) []string {
	for _, number := range numbers {
		class, known := looks[number]
		switch {
		case number == "" || number == "0":
			classes = nil
		case number == "22":
			classes = without(classes, isBold)
		case number == "39":
			classes = without(classes, isColor)
		case known && isColor(class):
			classes = append(without(classes, isColor), class)
		case known && !slices.Contains(classes, class):
			classes = append(slices.Clone(classes), class)
		}
	}
	slices.Sort(classes)
	return classes
}

func isBold(class string) bool { return class == "b" }

func isColor(class string) bool { return len(class) > 1 }

func without(classes []string, gone func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(classes), gone)
}

func plain(spans []span) string {
	var text strings.Builder
	for _, span := range spans {
		text.WriteString(span.text)
	}
	return text.String()
}

// wrap breaks a line into rows of this width; an empty line is one row.
func wrap(spans []span, width int) [][]span {
	rows := [][]span{nil}
	left := width
	for _, s := range spans {
		text := []rune(s.text)
		for len(text) > 0 {
			if left == 0 {
				rows, left = append(rows, nil), width
			}
			n := min(left, len(text))
			last := len(rows) - 1
			rows[last] = append(rows[last], span{string(text[:n]), s.classes})
			text, left = text[n:], left-n
		}
	}
	return rows
}
