package sqlscript

import (
	"fmt"
	"strings"
)

// endOfData is the line after the data of COPY ... FROM STDIN.
const endOfData = `\.`

// data walks over the lines that psql sends as the data of the COPY that begins at a
// place, past the line that ends them.
func (c *cursor) data(begin int) *Data {
	if rest := strings.TrimSpace(c.restOfLine()); rest != "" && !strings.HasPrefix(rest, "--") {
		c.broken = fmt.Errorf("line %d: the data of a COPY ... FROM STDIN must begin on the next line", c.line(begin))
		return nil
	}
	c.skipLine()
	from := c.at
	for c.at < len(c.text) {
		end := c.at
		if line := strings.TrimRight(c.restOfLine(), "\r"); line == endOfData {
			c.skipLine()
			return &Data{c.text[from:end], c.line(from)}
		}
		c.skipLine()
	}
	c.broken = fmt.Errorf(`line %d: the data of this COPY ... FROM STDIN doesn't end; a line of \. alone must follow it`,
		c.line(begin))
	return nil
}

// command walks over one of psql's commands. The two that pg_dump writes, which protect
// psql alone, are left out; others would do something that only psql can.
func (c *cursor) command(between bool) {
	name, _, _ := strings.Cut(strings.TrimSpace(c.restOfLine()), " ")
	if between && (name == `\restrict` || name == `\unrestrict`) {
		c.skipLine()
		return
	}
	c.broken = fmt.Errorf("line %d: %s is a command of psql; only SQL can be run here", c.line(c.at), name)
	c.at = len(c.text)
}

func (c *cursor) restOfLine() string {
	line, _, _ := strings.Cut(c.text[c.at:], "\n")
	return line
}

func (c *cursor) skipLine() {
	c.at = min(len(c.text), c.at+len(c.restOfLine())+1)
}
