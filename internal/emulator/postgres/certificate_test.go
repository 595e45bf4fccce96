package postgres

import (
	"bytes"
	"crypto/x509"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file keeps the authority, so that who has taken it needn't again; one that isn't whole is told.
func TestAuthority(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "authority.pem")
	first, err := openAuthority(file)
	if err != nil {
		t.Fatal(err)
	}
	again, err := openAuthority(file)
	if err != nil || !bytes.Equal(first.pem(), again.pem()) {
		t.Fatalf("another authority: %v", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(first.pem()) {
		t.Fatal("it can't be taken")
	}
	for host, isServed := range map[string]bool{
		"ep-a.c-2.us-east-2.aws.neon.localhost": true, "neon.localhost": true, "localhost": true, "example.com": false, "": false,
		"*.neon.localhost": false,
	} {
		leaf, err := again.of(host)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := leaf.Leaf.Verify(x509.VerifyOptions{Roots: pool, DNSName: host}); isServed && err != nil {
			t.Errorf("%s: %v", host, err)
		}
		if isServed != (leaf.Leaf.VerifyHostname(host) == nil) {
			t.Errorf("%q has the certificate of %v", host, leaf.Leaf.DNSNames)
		}
		if same, err := again.of(host); err != nil || same != leaf {
			t.Errorf("%s has another one each time", host)
		}
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openAuthority(file); err != nil {
		t.Errorf("a file that was about to be written: %v", err)
	}
	if err := os.WriteFile(file, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openAuthority(file); err == nil || !strings.Contains(err.Error(), "delete it") {
		t.Errorf("half a file: %v", err)
	}
}
