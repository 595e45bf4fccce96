package project

import (
	"errors"
	"testing"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

func TestProjectsHints(t *testing.T) {
	t.Parallel()
	if hints := listHints(errors.New("another"), client.ProjectQuery{}); hints != nil {
		t.Errorf("hints: %q", hints)
	}
}
