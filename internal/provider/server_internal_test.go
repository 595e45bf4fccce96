package provider

import (
	"testing"
)

// What the framework answers to is not lost by what is put around it.
func TestServer_answersToAllThatTheFrameworkDoes(t *testing.T) {
	t.Parallel()
	if _, ok := NewServer("test").New().(*stoppableServer); !ok {
		t.Error("the framework's server has changed: an interruption leaves keys open")
	}
}

func TestServer_closesNothingWhereNothingIsOpen(t *testing.T) {
	t.Parallel()
	server := NewServer("test")
	server.New()
	if problems := server.Close(t.Context()); len(problems) != 0 {
		t.Errorf("it says %q", problems)
	}
}
