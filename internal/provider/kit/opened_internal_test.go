package kit

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// Whoever ends the program waits for what is being closed already, by an interruption.
func TestOpened_closeAllWaits(t *testing.T) {
	t.Parallel()
	var opened Opened
	closing, closed := make(chan struct{}), make(chan struct{})
	opened.Add("key", func(context.Context, *diag.Diagnostics) {
		close(closing)
		<-closed
	})
	go opened.CloseAll(t.Context())
	<-closing
	ended := make(chan struct{})
	go func() {
		opened.CloseAll(t.Context())
		close(ended)
	}()
	select {
	case <-ended:
		t.Error("it has ended, and the key is still being closed")
	case <-time.After(50 * time.Millisecond):
	}
	close(closed)
	<-ended
}

// All that may be left is said, however much one end says.
func TestOpened_closeAllSaysAll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // It ends a test in which all wait.
		var opened Opened
		opened.Add("key", func(_ context.Context, diags *diag.Diagnostics) {
			diags.AddWarning("It is left", "Delete it.")
			diags.AddWarning("Another is left", "Delete that, too.")
		})
		want := []string{"It is left: Delete it.", "Another is left: Delete that, too."}
		if got := opened.CloseAll(t.Context()); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
