package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/seed-a7382548/terraform-provider-neon/internal/recording"
)

// title is the line with which a step begins.
var title = regexp.MustCompile(`^\d+/\d+ `)

// record draws the whole demo, as somebody sees it who enters its command.
func record(ctx context.Context, file string, options options) error {
	r := recording.New(title)
	if _, err := fmt.Fprintln(r, "\x1b[32m$\x1b[0m make demo"); err != nil {
		return err
	}
	options.colors = true
	if err := run(ctx, io.MultiWriter(os.Stdout, r), options); err != nil {
		return err
	}
	var picture bytes.Buffer
	if err := r.WriteSVG(&picture, "make demo", "A terminal: real terraform creates, changes and destroys everything against the emulator of Neon."); err != nil {
		return err
	}
	return os.WriteFile(file, picture.Bytes(), 0o644) //nolint:gosec // It is published.
}
