package emulator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Who takes the emulator's authority can verify each endpoint's host, with all that the API's connection string asks
// for.
func TestCertificates(t *testing.T) {
	t.Parallel()
	s, other := serveDatabases(t), serveDatabases(t)
	verified := func(of *served) string {
		t.Helper()
		file := filepath.Join(t.TempDir(), "ca.pem")
		if err := os.WriteFile(file, []byte(of.control("GET", "/ca.pem", "").text), 0o600); err != nil {
			t.Fatal(err)
		}
		return strings.Replace(s.mainURI(), "sslmode=require", "sslmode=verify-full&sslrootcert="+file, 1)
	}
	if uri := s.mainURI(); !strings.Contains(uri, "channel_binding=require") || verified(s) == uri {
		t.Fatal(uri)
	}
	s.expect(t, verified(s), "1", "SELECT '1'")
	s.expect(t, strings.Replace(verified(s), ".us-", "-pooler.us-", 1), "1", "SELECT '1'")
	if _, err := query(t, verified(other), "SELECT 1"); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("another authority is as good: %v", err)
	}
}
