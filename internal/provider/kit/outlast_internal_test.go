package kit

import (
	"context"
	"testing"
)

func TestOutlast(t *testing.T) {
	t.Parallel()
	type mark struct{}
	ctx, interrupt := context.WithCancel(context.WithValue(t.Context(), mark{}, "kept"))
	lasting, stop := outlast(ctx, 0)
	defer stop()
	if lasting.Err() != nil || lasting.Value(mark{}) != "kept" {
		t.Errorf("it has ended (%v) or lost its values before an interruption", lasting.Err())
	}
	interrupt()
	<-lasting.Done()
}
