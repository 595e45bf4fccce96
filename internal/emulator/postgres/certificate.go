package postgres

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"sync"
	"time"
)

// mostCertificates is for how many hosts an authority makes one. Any others get that of the domain.
const mostCertificates = 10_000

// hostOfTLS is a host that endpoints may have; localhost itself is that of DATABASE_URL.
var hostOfTLS = regexp.MustCompile(`^([a-z0-9-]{1,63}\.){0,8}localhost$`)

// authority makes a certificate for each host that clients ask for. Clients that require TLS without naming an
// authority take it as it is, and those that verify it need the authority's own; channel binding ties a login to it.
type authority struct {
	key crypto.Signer
	own *x509.Certificate

	mu     sync.Mutex
	leaves map[string]*tls.Certificate
}

// openAuthority reads the authority that a file keeps, or makes one and keeps it there; without a file, for the
// gateway's life.
func openAuthority(file string) (*authority, error) {
	text, err := os.ReadFile(file) //nolint:gosec // It is in the emulator's own folder.
	switch {
	case len(text) > 0: // An empty one is of an emulator that was killed before it had written it.
		return readAuthority(file, text)
	case file != "" && err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	made, err := newAuthority()
	if err != nil || file == "" {
		return made, err
	}
	key, err := x509.MarshalPKCS8PrivateKey(made.key)
	if err != nil {
		return nil, err
	}
	return made, os.WriteFile(file, append(made.pem(), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...),
		0o600)
}

func readAuthority(file string, text []byte) (*authority, error) {
	read, err := tls.X509KeyPair(text, text)
	if err != nil {
		return nil, fmt.Errorf("%s has no certificate with its key: delete it, and another authority is made: %w", file, err)
	}
	key, _ := read.PrivateKey.(crypto.Signer) // X509KeyPair takes no others.
	return &authority{key: key, own: read.Leaf, leaves: map[string]*tls.Certificate{}}, nil
}

func newAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	own := &x509.Certificate{
		Subject: pkix.Name{CommonName: "neon-emulator"}, KeyUsage: x509.KeyUsageCertSign, IsCA: true,
		BasicConstraintsValid: true, MaxPathLenZero: true,
		// Whoever trusts it trusts it for names of this machine alone.
		PermittedDNSDomainsCritical: true, PermittedDNSDomains: []string{"localhost"},
	}
	own, err = sign(own, own, key, 10)
	return &authority{key: key, own: own, leaves: map[string]*tls.Certificate{}}, err
}

// sign makes a certificate of a template, for so many years.
func sign(template, by *x509.Certificate, key crypto.Signer, years int) (*x509.Certificate, error) {
	now := time.Now()
	template.NotBefore, template.NotAfter = now.Add(-time.Hour), now.AddDate(years, 0, 0)
	text, err := x509.CreateCertificate(rand.Reader, template, by, key.Public(), key)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(text)
}

// pem is the authority's own certificate, for who verifies others by it.
func (a *authority) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.own.Raw})
}

// of returns the certificate of a host, the same one each time.
func (a *authority) of(host string) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if leaf := a.leaves[host]; leaf != nil {
		return leaf, nil
	}
	if len(a.leaves) >= mostCertificates || !hostOfTLS.MatchString(host) {
		if host = "neon.localhost"; a.leaves[host] != nil {
			return a.leaves[host], nil
		}
	}
	leaf, err := sign(&x509.Certificate{
		Subject: pkix.Name{CommonName: "neon.localhost"}, DNSNames: []string{host},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, a.own, a.key, 1)
	if err != nil {
		return nil, err
	}
	a.leaves[host] = &tls.Certificate{Certificate: [][]byte{leaf.Raw, a.own.Raw}, PrivateKey: a.key, Leaf: leaf}
	return a.leaves[host], nil
}
