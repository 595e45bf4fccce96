package sqlscript

import (
	"net"
	"runtime"
	"strings"
	"testing"
)

// An emulator that doesn't listen won't by waiting.
func TestConnect_withoutDatabases(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a refused connection is another error there, after which Connect waits")
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	const host = "ep-cool-breeze-a1b2c3d4.us-east-2.aws.neon.localhost"
	_, err = Connect(t.Context(), "postgresql://app:npg_secret@"+host+":"+port+"/neondb")
	if err == nil || !strings.Contains(err.Error(), "serves no databases") || strings.Contains(err.Error(), "npg_secret") {
		t.Errorf("it says %v", err)
	}
}
