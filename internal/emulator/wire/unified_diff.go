package wire

import (
	"fmt"
	"slices"
	"strings"
)

// contextLines are shown around each change.
const contextLines = 3

// edit is a line that is kept (' '), removed ('-') or added ('+').
type edit struct {
	kind byte
	line string
}

// UnifiedDiff is how the second text differs from the first, in the format of diff -u; empty
// where it doesn't.
func UnifiedDiff(oldName, newName, before, after string) string {
	if before == after {
		return ""
	}
	edits := lineEdits(slices.Collect(strings.Lines(before)), slices.Collect(strings.Lines(after)))
	shown := make([]bool, len(edits))
	for i, e := range edits {
		for near := max(0, i-contextLines); e.kind != ' ' && near <= min(i+contextLines, len(edits)-1); near++ {
			shown[near] = true
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "--- %s\n+++ %s\n", oldName, newName)
	oldLine, newLine := 1, 1
	for i := 0; i < len(edits); {
		end := i
		for end < len(edits) && shown[end] {
			end++
		}
		removed, added := counted(edits[i:max(end, i+1)])
		if end > i {
			fmt.Fprintf(&text, "@@ -%d,%d +%d,%d @@\n", oldLine, removed, newLine, added)
			for _, e := range edits[i:end] {
				text.WriteString(string(e.kind) + e.line)
			}
		}
		i, oldLine, newLine = max(end, i+1), oldLine+removed, newLine+added
	}
	return text.String()
}

// counted is how many lines edits take of the first text, and how many of the second.
func counted(edits []edit) (before, after int) {
	for _, e := range edits {
		if e.kind != '+' {
			before++
		}
		if e.kind != '-' {
			after++
		}
	}
	return before, after
}

// lineEdits leads from some lines to others, along their longest common subsequence.
func lineEdits(before, after []string) []edit {
	common := make([][]int, len(before)+1)
	for i := range common {
		common[i] = make([]int, len(after)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(after) - 1; j >= 0; j-- {
			if before[i] == after[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var edits []edit
	for i, j := 0, 0; i < len(before) || j < len(after); {
		switch {
		case i < len(before) && j < len(after) && before[i] == after[j]:
			edits = append(edits, edit{' ', before[i]})
			i, j = i+1, j+1
		case j == len(after) || i < len(before) && common[i+1][j] >= common[i][j+1]:
			edits = append(edits, edit{'-', before[i]})
			i++
		default:
			edits = append(edits, edit{'+', after[j]})
			j++
		}
	}
	return edits
}
