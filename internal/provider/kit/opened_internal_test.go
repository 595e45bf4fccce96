package kit

import (
	"context"
	"testing"
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
