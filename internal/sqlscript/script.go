// Package sqlscript runs files of SQL on a database, as a person does with psql: all
// statements in one transaction where they allow that, and errors that say which
// statement is meant.
package sqlscript

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"
)

// Script is a file of SQL.
type Script struct {
	Path       string
	Statements []Statement
}

// Statement is one statement of a script, without the semicolon after it.
type Statement struct {
	Text string
	// Line is where the statement begins in its file, counted from 1.
	Line int
	// Data follows a COPY ... FROM STDIN, nil for none.
	Data *Data
}

// Data is the lines between COPY ... FROM STDIN and the line \.
type Data struct {
	Text string
	// Line is where the data begins in its file, counted from 1.
	Line int
}

// Read reads a script. A file that can't be read, in which a quote, a comment or the
// data of a COPY doesn't end, or that has commands of psql, is an error that names it.
func Read(path string) (*Script, error) {
	text, err := os.ReadFile(path) //nolint:gosec // The user names the file.
	if err != nil {
		var cause *fs.PathError
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return nil, fmt.Errorf("%s can't be read: %w", path, err)
	}
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("%s isn't text in UTF-8", path)
	}
	// psql passes over the mark, too, that editors on Windows begin a file with.
	statements, err := Split(strings.TrimPrefix(string(text), "\ufeff"))
	if err != nil {
		return nil, fmt.Errorf("%s, %w", path, err)
	}
	return &Script{path, statements}, nil
}

// ownTransaction tells whether a script begins and ends transactions by itself.
func (s *Script) ownTransaction() bool {
	for _, statement := range s.Statements {
		switch statement.keyword() {
		case "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT":
			return true
		}
	}
	return false
}

// keyword is the first word, in capitals.
func (s Statement) keyword() string {
	c := cursor{text: s.Text}
	return strings.ToUpper(c.word())
}

// Split cuts a text into its statements. It knows the quotes, dollar quotes and
// comments of PostgreSQL, bodies of functions between BEGIN ATOMIC and END, and the data
// that psql reads after COPY ... FROM STDIN.
func Split(text string) ([]Statement, error) {
	c := cursor{text: text}
	var statements []Statement
	for c.at < len(text) {
		if statement, found := c.statement(); found {
			statements = append(statements, statement)
		}
		if c.broken != nil {
			return nil, c.broken
		}
	}
	return statements, nil
}

// cursor walks through a text of SQL.
type cursor struct {
	text   string
	at     int
	broken error
}

// statement walks to the end of a statement, past its semicolon. What holds nothing
// but comments is none.
func (c *cursor) statement() (Statement, bool) {
	begin, parentheses := -1, 0
	var said words
	for c.at < len(c.text) && c.broken == nil {
		from := c.at
		switch char := c.text[c.at]; {
		case strings.IndexByte(" \t\r\n\f\v", char) >= 0:
			c.at++
			continue
		case c.comment():
			continue
		case char == ';' && parentheses <= 0 && said.atomic == 0:
			c.at++
			return c.finish(begin, from, said.copies), begin >= 0
		case char == '\\':
			c.command(begin < 0)
			continue
		case c.quoted():
			said.previous = ""
		case isWordStart(char):
			said.next(strings.ToUpper(c.word()), begin < 0, parentheses)
		default:
			switch char {
			case '(':
				parentheses++
			case ')':
				parentheses--
			}
			c.at++
		}
		if begin < 0 {
			begin = from
		}
	}
	return c.finish(begin, len(c.text), said.copies), begin >= 0
}

// words is what a statement's words outside of quotes tell of its end.
type words struct {
	first, previous string
	// atomic is how deep in a body between BEGIN ATOMIC and END the statement is.
	atomic int
	// copies says that data follows.
	copies bool
}

func (w *words) next(word string, first bool, parentheses int) {
	if first {
		w.first = word
	}
	switch {
	case word == "ATOMIC" && w.previous == "BEGIN", word == "CASE" && w.atomic > 0:
		w.atomic++
	case word == "END" && w.atomic > 0:
		w.atomic--
	case word == "STDIN" && w.previous == "FROM" && w.first == "COPY" && parentheses == 0:
		w.copies = true
	}
	w.previous = word
}

// finish cuts out a statement, with the data after it if it copies some.
func (c *cursor) finish(begin, end int, copies bool) Statement {
	if begin < 0 {
		return Statement{}
	}
	statement := Statement{Text: strings.TrimRight(c.text[begin:end], " \t\r\n\f\v"), Line: c.line(begin)}
	if copies {
		statement.Data = c.data(begin)
	}
	return statement
}

func (c *cursor) line(at int) int { return 1 + strings.Count(c.text[:at], "\n") }

// comment walks over a comment, if there is one here.
func (c *cursor) comment() bool {
	rest := c.text[c.at:]
	switch {
	case strings.HasPrefix(rest, "--"):
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			c.at += end
		} else {
			c.at = len(c.text)
		}
		return true
	case strings.HasPrefix(rest, "/*"):
		begin, depth := c.at, 0
		for c.at < len(c.text) {
			switch {
			case strings.HasPrefix(c.text[c.at:], "/*"):
				depth++
				c.at += 2
			case strings.HasPrefix(c.text[c.at:], "*/"):
				depth--
				c.at += 2
			default:
				c.at++
			}
			if depth == 0 {
				return true
			}
		}
		c.fail(begin, "a comment (/*)")
		return true
	}
	return false
}

// quoted walks over a text or a name in quotes, if there is one here.
func (c *cursor) quoted() bool {
	switch char := c.text[c.at]; {
	case char == '\'':
		c.until('\'', false)
	case char == '"':
		c.until('"', false)
	case (char == 'e' || char == 'E') && strings.HasPrefix(c.text[c.at+1:], "'"):
		c.at++
		c.until('\'', true)
	case char == '$':
		return c.dollarQuoted()
	default:
		return false
	}
	return true
}

// until walks to the quote that isn't doubled, nor, where that counts, behind a
// backslash.
func (c *cursor) until(quote byte, backslashes bool) {
	begin := c.at
	for c.at++; c.at < len(c.text); c.at++ {
		switch char := c.text[c.at]; {
		case backslashes && char == '\\':
			c.at++
		case char == quote && strings.HasPrefix(c.text[c.at+1:], string(quote)):
			c.at++
		case char == quote:
			c.at++
			return
		}
	}
	c.at = len(c.text)
	c.fail(begin, "a quote ("+string(quote)+")")
}

// dollarQuoted walks over $$...$$ or $tag$...$tag$.
func (c *cursor) dollarQuoted() bool {
	end := c.at + 1
	for end < len(c.text) && isWord(c.text[end]) && c.text[end] != '$' {
		end++
	}
	if end >= len(c.text) || c.text[end] != '$' || end > c.at+1 && !isWordStart(c.text[c.at+1]) {
		return false // A parameter such as $1.
	}
	begin, tag := c.at, c.text[c.at:end+1]
	length := strings.Index(c.text[end+1:], tag)
	if length < 0 {
		c.at = len(c.text)
		c.fail(begin, "a quote ("+tag+")")
		return true
	}
	c.at = end + 1 + length + len(tag)
	return true
}

func (c *cursor) word() string {
	begin := c.at
	for c.at < len(c.text) && isWord(c.text[c.at]) {
		c.at++
	}
	return c.text[begin:c.at]
}

func isWordStart(char byte) bool {
	return 'a' <= char && char <= 'z' || 'A' <= char && char <= 'Z' || char == '_' || char >= utf8.RuneSelf
}

func isWord(char byte) bool {
	return isWordStart(char) || '0' <= char && char <= '9' || char == '$'
}

func (c *cursor) fail(begin int, what string) {
	if c.broken == nil {
		c.broken = fmt.Errorf("line %d: %w", c.line(begin), errors.New(what+" begins here and doesn't end"))
	}
}
