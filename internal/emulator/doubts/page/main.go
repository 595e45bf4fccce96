// Page writes DOUBTS.md to its standard output.
package main

import (
	"fmt"
	"os"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
)

func main() {
	page, err := doubts.Page()
	if err == nil {
		_, err = os.Stdout.WriteString(page)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
